package io.kindred.protocol.overlay;

import io.kindred.core.PeerId;
import io.kindred.core.work.Ticket;
import io.kindred.protocol.clusters.ClusterDescriptor;
import io.kindred.protocol.clusters.ClusterSignatures;
import io.kindred.protocol.clusters.Clustering;
import io.kindred.protocol.clusters.Replicas;
import io.kindred.protocol.clusters.ZoneId;
import io.kindred.protocol.overlay.Lead.Offering;
import io.kindred.protocol.overlay.Lead.Stage;
import io.kindred.protocol.overlay.OverlayMessage.Agreed;
import io.kindred.protocol.overlay.OverlayMessage.Appointment;
import io.kindred.protocol.overlay.OverlayMessage.Contribution;
import io.kindred.protocol.overlay.OverlayMessage.Parent;
import io.kindred.protocol.overlay.OverlayMessage.Placement;
import io.kindred.protocol.overlay.OverlayMessage.RootCall;
import io.kindred.protocol.overlay.OverlayMessage.Roots;
import io.kindred.protocol.overlay.OverlayMessage.SignatureProbe;
import io.kindred.protocol.overlay.OverlayMessage.SignatureReply;
import io.kindred.protocol.overlay.OverlayState.Own;
import io.kindred.protocol.overlay.Ward.Held;
import io.kindred.protocol.search.Threshold;
import io.kindred.protocol.signatures.Cardinality;
import io.kindred.protocol.signatures.QuantileSketch;
import io.kindred.protocol.signatures.Signature;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * From a settled zone to its clusters (SemanticDFL, sections 3.3.2 and 3.3.3): the same on every
 * level, over peers' signatures on the lowest and over prototypes above. Where one zone is left
 * whose clusters are few enough, those are the top.
 */
final class Clusters {
  static final String MISSING = "overlay-missing";

  /** Counted where a signature cannot be compared with the own one. */
  static final String OTHER_MODEL = "overlay-other-model";

  /** Waves after which who has not sent what is to be clustered is asked again, then left out. */
  private static final int PATIENCE_WAVES = 16;

  private final Turn turn;

  Clusters(Turn turn) {
    this.turn = turn;
  }

  /** A new model: the threshold follows how far it turned, and a zone that waits gets it. */
  void signed(OverlayNote.Signed signed) {
    Own before = turn.own;
    Optional<Threshold> threshold =
        before
            .threshold()
            .map(
                value ->
                    value.next(
                        before.passed(),
                        before.scored(),
                        likeness(before.signature(), signed.signature()),
                        turn.settings.threshold()));
    turn.own =
        new Own(
            Optional.of(signed.signature()),
            signed.least(),
            before.asked(),
            before.given(),
            threshold,
            0,
            0);
    before.asked().ifPresent(zone -> give(zone, zone.initiator()));
    new Regroups(turn).signed();
  }

  private static double likeness(Optional<Signature> before, Signature now) {
    return before.filter(last -> last.dimension() == now.dimension()).map(now::cosine).orElse(1.0);
  }

  void probed(PeerId from, SignatureProbe probe) {
    ZoneId zone = probe.zone();
    if (zone.level() > 1) {
      Lead below = turn.lead(zone.level() - 1);
      if (below != null) {
        turn.put(below.askedBy(zone));
        Tenancy above = Tenancy.of(zone, turn.tick);
        turn.put(above);
        Ward ward = turn.watch().wards().get(below.level());
        if (ward != null) {
          turn.put(ward.under(above));
        }
        contribute(zone.level() - 1);
      }
    } else if (turn.own.signature().isPresent()) {
      give(zone, from);
    } else {
      turn.own = turn.own.askedBy(zone);
    }
  }

  private void give(ZoneId zone, PeerId to) {
    Own own = turn.own;
    turn.own = own.placed();
    turn.send(to, new SignatureReply(zone, own.signature().orElseThrow(), own.least()));
  }

  /** As its clusters are now, which may not be as they were found. */
  private void contribute(int level) {
    Lead lead = turn.lead(level);
    Ward ward = turn.watch().wards().get(level);
    if (lead != null && ward != null && lead.stage() == Stage.PUBLISHED) {
      lead.asked()
          .ifPresent(
              zone ->
                  turn.send(
                      zone.initiator(),
                      new Contribution(
                          zone, ward.zone(), ward.stamp(), ward.descriptors(), lead.least())));
    }
  }

  void replied(PeerId from, SignatureReply reply) {
    if (new Regroups(turn).replied(from, reply)) {
      return;
    }
    Offering offering =
        new Offering(
            Optional.of(reply.signature()),
            List.of(),
            QuantileSketch.of(Math.max(0, reply.least())));
    take(from, reply.zone(), offering);
  }

  void contributed(PeerId from, Contribution given) {
    Lead lead = turn.lead(given.zone().level());
    if (lead == null || !lead.collecting()) {
      new Wards(turn).contributed(from, given);
      return;
    }
    take(from, given.zone(), new Offering(Optional.empty(), given.clusters(), given.least()));
  }

  /** Waits for what is to be clustered, but not for ever. */
  void collect(Lead lead) {
    for (PeerId member : lead.members().keySet()) {
      turn.send(member, new SignatureProbe(lead.id()));
    }
    if (turn.settings.life().lives()) {
      turn.levelAlarm(MISSING, lead.level(), patience(lead.level()));
    }
  }

  /** Zones below take the longer the higher the level. */
  private long patience(int level) {
    return (long) PATIENCE_WAVES * level * turn.settings.waveTicks();
  }

  /**
   * Some are gone, or what they sent was lost. Nobody is left out as long as this peer itself has
   * nothing to send: then all are still busy with their first model.
   */
  void missing(int level) {
    Lead lead = turn.lead(level);
    if (lead == null || !lead.collecting()) {
      return;
    }
    boolean waits = turn.own.signature().isEmpty() || lead.offerings().isEmpty();
    SortedMap<PeerId, Member> there = new TreeMap<>(lead.members());
    if (!waits && lead.stage() == Stage.COLLECTING_AGAIN) {
      there.keySet().retainAll(lead.offerings().keySet());
      turn.count("overlay-left-out");
      Lead smaller = lead.with(there);
      turn.put(smaller);
      cluster(smaller);
      return;
    }
    for (PeerId member : lead.members().keySet()) {
      if (!lead.offerings().containsKey(member)) {
        turn.send(member, new SignatureProbe(lead.id()));
      }
    }
    turn.put(waits ? lead : lead.with(Stage.COLLECTING_AGAIN));
    turn.levelAlarm(MISSING, level, patience(level));
  }

  private void take(PeerId from, ZoneId zone, Offering offering) {
    Lead lead = turn.lead(zone.level());
    if (lead == null
        || !lead.collecting()
        || !lead.id().equals(zone)
        || !lead.members().containsKey(from)) {
      turn.count("overlay-offered-elsewhere");
      return;
    }
    Lead fuller = lead.offer(from, offering);
    turn.put(fuller);
    if (fuller.offerings().keySet().containsAll(fuller.members().keySet())) {
      cluster(fuller);
    }
  }

  void cluster(Lead settled) {
    Lead lead = comparable(settled);
    boolean lowest = lead.level() == 1;
    List<ClusterDescriptor> below = below(lead);
    if (lowest ? lead.offerings().isEmpty() : below.isEmpty()) {
      turn.count("overlay-nothing-to-cluster");
      return;
    }
    if (!lowest && isLast(lead) && below.size() < turn.settings.zoneSize()) {
      crown(lead, below);
      return;
    }
    List<Signature> signatures =
        lowest
            ? lead.offerings().values().stream()
                .map(each -> each.signature().orElseThrow())
                .toList()
            : below.stream().map(ClusterDescriptor::prototype).toList();
    int entries = signatures.stream().mapToInt(Signature::size).max().orElse(0);
    turn.put(lead.with(Stage.CLUSTERING));
    turn.compute(
        lead.level(),
        new Ticket.Call(
            new ClusterSignatures(
                signatures,
                entries,
                lowest ? ClusterSignatures.ANY_SIZE : turn.settings.fanOut(),
                turn.settings.clusters())));
  }

  /** Without those whose model is another one: they would have to look for others of their kind. */
  private Lead comparable(Lead lead) {
    List<PeerId> others =
        lead.offerings().entrySet().stream()
            .filter(each -> !isComparable(each.getValue()))
            .map(Map.Entry::getKey)
            .toList();
    others.forEach(_ -> turn.count(OTHER_MODEL));
    return others.isEmpty() ? lead : lead.without(others);
  }

  private boolean isComparable(Offering offering) {
    return offering.signature().stream().allMatch(turn::isComparable)
        && turn.areComparable(offering.clusters());
  }

  /**
   * No other zone is known on this level, nobody on the next one has spoken up, and this peer does
   * not take part there: where the only other zone was merged into this one after that began, the
   * next level has a zone of one, which needs clusters to call the top.
   */
  private boolean isLast(Lead lead) {
    Vertex above = turn.vertex(lead.level() + 1);
    return lead.adjacent().isEmpty() && !above.begun() && above.early().isEmpty();
  }

  private static List<ClusterDescriptor> below(Lead lead) {
    List<ClusterDescriptor> below = new ArrayList<>();
    lead.offerings().values().forEach(each -> below.addAll(each.clusters()));
    return below;
  }

  private static QuantileSketch least(Lead lead) {
    QuantileSketch sum = QuantileSketch.empty();
    for (Offering each : lead.offerings().values()) {
      sum = sum.merge(each.least());
    }
    return sum;
  }

  void clustered(int level, ClusterSignatures.Clustered clustered) {
    Lead lead = turn.lead(level);
    if (lead == null || lead.stage() != Stage.CLUSTERING) {
      // It has joined meanwhile what others built.
      turn.count("overlay-clustered-in-vain");
      return;
    }
    List<Held> clusters = new ArrayList<>();
    for (int number = 0; number < clustered.clustering().count(); number++) {
      Signature prototype = clustered.prototypes().get(number);
      clusters.add(
          level == 1
              ? publishPeers(lead, clustered.clustering(), number, prototype)
              : publishClusters(lead, clustered.clustering(), number, prototype));
    }
    new Wards(turn).found(lead, clusters, List.of());
    Lead published = lead.publish(least(lead));
    turn.put(published);
    contribute(level);
    new Leads(turn).rise(published);
  }

  private Held publishPeers(Lead lead, Clustering clustering, int number, Signature prototype) {
    List<PeerId> peers = List.copyOf(lead.offerings().keySet());
    List<PeerId> members = clustering.members(number).stream().map(peers::get).toList();
    PeerId exemplar = peers.get(clustering.exemplars().get(number));
    List<PeerId> replicas =
        Replicas.choose(
            exemplar,
            members.stream().map(each -> candidate(lead, each)).toList(),
            peers.stream().map(each -> candidate(lead, each)).toList(),
            turn.settings.replicas());
    ClusterDescriptor cluster =
        new ClusterDescriptor(number, exemplar, prototype, replicas, members.size(), lead.id());
    long stamp = new Wards(turn).nextStamp(1);
    Appointment appointment = new Appointment(cluster, members, List.of(), stamp);
    replicas.forEach(each -> turn.send(each, appointment));
    members.forEach(each -> turn.send(each, new Placement(cluster.id(), replicas)));
    return new Held(cluster, members, List.of());
  }

  private static Replicas.Candidate candidate(Lead lead, PeerId peer) {
    Member member = lead.members().get(peer);
    return new Replicas.Candidate(peer, member == null ? 0 : member.capacity());
  }

  private Held publishClusters(Lead lead, Clustering clustering, int number, Signature prototype) {
    List<ClusterDescriptor> all = below(lead);
    List<ClusterDescriptor> children = clustering.members(number).stream().map(all::get).toList();
    ClusterDescriptor exemplar = all.get(clustering.exemplars().get(number));
    List<PeerId> replicas =
        Replicas.choose(
            exemplar.replicas().getFirst(),
            holders(children),
            holders(all),
            turn.settings.replicas());
    ClusterDescriptor cluster =
        new ClusterDescriptor(
            number,
            exemplar.exemplar(),
            prototype,
            replicas,
            ClusterDescriptor.sizeOf(children),
            lead.id());
    long stamp = new Wards(turn).nextStamp(lead.level());
    Appointment appointment = new Appointment(cluster, List.of(), children, stamp);
    replicas.forEach(each -> turn.send(each, appointment));
    for (ClusterDescriptor child : children) {
      Parent parent = new Parent(child.id(), cluster.id(), replicas, stamp);
      child.replicas().forEach(each -> turn.send(each, parent));
    }
    return new Held(cluster, List.of(), children);
  }

  /**
   * Who holds a cluster first is preferred to who holds it second: descriptors tell no capacity.
   */
  private static List<Replicas.Candidate> holders(List<ClusterDescriptor> clusters) {
    List<Replicas.Candidate> holders = new ArrayList<>();
    for (ClusterDescriptor each : clusters) {
      for (int i = 0; i < each.replicas().size(); i++) {
        holders.add(new Replicas.Candidate(each.replicas().get(i), -i));
      }
    }
    return holders;
  }

  /** The clusters of this zone are the top of the hierarchy. */
  private void crown(Lead lead, List<ClusterDescriptor> top) {
    QuantileSketch least = least(lead);
    long stamp = new Wards(turn).nextStamp(lead.level());
    new Wards(turn).found(lead, List.of(), top);
    turn.put(lead.crown(least));
    boolean mesh = turn.settings.roots() == OverlaySettings.RootSet.MESH;
    List<List<PeerId>> holders = top.stream().map(ClusterDescriptor::replicas).toList();
    for (ClusterDescriptor root : top) {
      OverlayMessage news =
          mesh ? new RootCall(root.id(), holders) : new Roots(root.id(), top, stamp);
      root.replicas().forEach(each -> turn.send(each, news));
    }
    Crown crown = new Crown(lead.id(), 0, turn.self());
    int dimension = top.getFirst().prototype().dimension();
    int entries = Cardinality.agreed(least, dimension, turn.settings.signatures());
    for (ClusterDescriptor root : top) {
      turn.send(
          root.replicas().getFirst(),
          new Agreed(turn.epoch(), entries, crown, Optional.of(root.id())));
    }
  }
}
