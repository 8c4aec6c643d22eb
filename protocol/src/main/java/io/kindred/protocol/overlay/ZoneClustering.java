package io.kindred.protocol.overlay;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ClusterSignatures;
import io.kindred.protocol.clustering.ExemplarClustering;
import io.kindred.protocol.clustering.Replicas;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.OverlayMessage.ClusterReport;
import io.kindred.protocol.overlay.OverlayMessage.HomeClusterAssigned;
import io.kindred.protocol.overlay.OverlayMessage.OverlayBuilt;
import io.kindred.protocol.overlay.OverlayMessage.ParentAssigned;
import io.kindred.protocol.overlay.OverlayMessage.ReplicaAssigned;
import io.kindred.protocol.overlay.OverlayMessage.RootClusters;
import io.kindred.protocol.overlay.OverlayMessage.RootExchange;
import io.kindred.protocol.overlay.OverlayMessage.SignatureProbe;
import io.kindred.protocol.overlay.OverlayMessage.SignatureReply;
import io.kindred.protocol.overlay.OverlayState.LocalSignature;
import io.kindred.protocol.overlay.OverlayTimer.FormationStep;
import io.kindred.protocol.overlay.ZoneFormation.ClusteringInput;
import io.kindred.protocol.overlay.ZoneFormation.Stage;
import io.kindred.protocol.overlay.ZoneState.ClusterEntry;
import io.kindred.protocol.signature.Cardinality;
import io.kindred.protocol.signature.QuantileSketch;
import io.kindred.protocol.signature.Signature;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Clusters a settled zone (SemanticDFL, sections 3.3.2 and 3.3.3): the same on every level, over
 * peers' signatures on the lowest and over prototypes above. Where only one zone is left and its
 * child clusters are few enough, those are the root clusters.
 */
final class ZoneClustering {

  /** Waves after which the leader asks members with missing input again, then leaves them out. */
  private static final int COLLECT_TIMEOUT_WAVES = 16;

  private final OverlayStep step;

  ZoneClustering(OverlayStep step) {
    this.step = step;
  }

  /**
   * The signature of a new model: the threshold adapts to its drift, and a zone that waits for it
   * gets it.
   */
  void signatureUpdated(OverlayLocalMessage.SignatureUpdated signatureUpdated) {
    LocalSignature before = step.localSignature;
    Optional<Threshold> threshold =
        before
            .threshold()
            .map(
                value ->
                    value.next(
                        before.passed(),
                        before.scored(),
                        similarity(before.signature(), signatureUpdated.signature()),
                        step.settings.threshold()));
    step.localSignature =
        LocalSignatureBuilder.from(before)
            .signature(Optional.of(signatureUpdated.signature()))
            .minimumEntries(signatureUpdated.minimumEntries())
            .threshold(threshold)
            .passed(0)
            .scored(0)
            .build();
    before.requestedBy().ifPresent(zone -> sendSignature(zone, zone.initiator()));
    step.raise(new OverlayEvent.OwnSignatureChanged());
  }

  private static double similarity(Optional<Signature> before, Signature now) {
    return before.filter(last -> last.dimension() == now.dimension()).map(now::cosine).orElse(1.0);
  }

  void signatureRequested(PeerId from, SignatureProbe probe) {
    ZoneId zone = probe.zone();
    if (zone.level() > 1) {
      ZoneFormation below = step.formingZone(zone.level() - 1);
      if (below != null) {
        step.put(below.withRequester(zone));
        ZoneLease above = ZoneLease.of(zone, step.tick);
        step.put(above);
        ZoneState zoneState = step.membership().ledZones().get(below.level());
        if (zoneState != null) {
          step.put(zoneState.withParentLease(above));
        }
        reportClusters(zone.level() - 1);
      }
    } else if (step.localSignature.signature().isPresent()) {
      sendSignature(zone, from);
    } else {
      step.localSignature = step.localSignature.withRequester(zone);
    }
  }

  private void sendSignature(ZoneId zone, PeerId to) {
    LocalSignature localSignature = step.localSignature;
    step.localSignature = localSignature.markPlaced();
    step.send(
        to,
        new SignatureReply(
            zone, localSignature.signature().orElseThrow(), localSignature.minimumEntries()));
  }

  /** Reports the present clusters of a zone, which may differ from those first found. */
  private void reportClusters(int level) {
    ZoneFormation formation = step.formingZone(level);
    ZoneState zoneState = step.membership().ledZones().get(level);
    if (formation != null && zoneState != null && formation.stage() == Stage.PUBLISHED) {
      formation
          .requestedBy()
          .ifPresent(
              zone ->
                  step.send(
                      zone.initiator(),
                      new ClusterReport(
                          zone,
                          zoneState.zone(),
                          zoneState.version(),
                          zoneState.descriptors(),
                          formation.minimumEntries())));
    }
  }

  void signatureReceived(PeerId from, SignatureReply reply) {
    ClusteringInput clusteringInput =
        new ClusteringInput(
            Optional.of(reply.signature()),
            List.of(),
            QuantileSketch.of(Math.max(0, reply.minimumEntries())));
    addInput(from, reply.zone(), clusteringInput);
  }

  /** Returns whether the zone is being formed and waits for the clusters. */
  boolean clustersReported(PeerId from, ClusterReport report) {
    ZoneFormation formation = step.formingZone(report.zone().level());
    if (formation == null || !formation.collecting()) {
      return false;
    }
    addInput(
        from,
        report.zone(),
        new ClusteringInput(Optional.empty(), report.clusters(), report.minimumEntries()));
    return true;
  }

  /**
   * Asks all members for what is to be clustered, with a timeout where the overlay is maintained.
   */
  void collectInputs(ZoneFormation formation) {
    for (PeerId member : formation.members().keySet()) {
      step.send(member, new SignatureProbe(formation.id()));
    }
    startCollectTimer(formation.level());
  }

  /** Limits how long the leader waits for inputs, where the overlay is maintained. */
  void startCollectTimer(int level) {
    if (step.settings.maintenance().enabled()) {
      step.setLevelTimer(FormationStep.COLLECT_TIMEOUT, level, collectTimeoutTicks(level));
    }
  }

  /** Longer on higher levels, as child zones take longer there. */
  private long collectTimeoutTicks(int level) {
    return (long) COLLECT_TIMEOUT_WAVES * level * step.settings.waveTicks();
  }

  /**
   * Some members are down, or their messages were lost. No member is left out while this peer
   * itself has no signature: then all peers are still training their first model.
   */
  void collectTimedOut(int level) {
    ZoneFormation formation = step.formingZone(level);
    if (formation == null || !formation.collecting()) {
      return;
    }
    boolean waits = step.localSignature.signature().isEmpty() || formation.inputs().isEmpty();
    SortedMap<PeerId, ZoneMember> present = new TreeMap<>(formation.members());
    if (!waits && formation.stage() == Stage.COLLECTING_AGAIN) {
      present.keySet().retainAll(formation.inputs().keySet());
      step.count("overlay-left-out");
      ZoneFormation reduced = formation.with(present);
      step.put(reduced);
      startClustering(reduced);
      return;
    }
    for (PeerId member : formation.members().keySet()) {
      if (!formation.inputs().containsKey(member)) {
        step.send(member, new SignatureProbe(formation.id()));
      }
    }
    step.put(waits ? formation : formation.with(Stage.COLLECTING_AGAIN));
    step.setLevelTimer(FormationStep.COLLECT_TIMEOUT, level, collectTimeoutTicks(level));
  }

  private void addInput(PeerId from, ZoneId zone, ClusteringInput clusteringInput) {
    ZoneFormation formation = step.formingZone(zone.level());
    if (formation == null
        || !formation.collecting()
        || !formation.id().equals(zone)
        || !formation.members().containsKey(from)) {
      step.count("overlay-input-for-other-zone");
      return;
    }
    ZoneFormation updated = formation.withInput(from, clusteringInput);
    step.put(updated);
    if (updated.inputs().keySet().containsAll(updated.members().keySet())) {
      startClustering(updated);
    }
  }

  void startClustering(ZoneFormation settled) {
    ZoneFormation formation = withoutIncomparable(settled);
    boolean lowest = formation.level() == 1;
    List<ClusterDescriptor> below = childClusters(formation);
    if (lowest ? formation.inputs().isEmpty() : below.isEmpty()) {
      step.count("overlay-nothing-to-cluster");
      return;
    }
    if (!lowest && isOnlyZone(formation) && below.size() < step.settings.zoneSize()) {
      becomeRoot(formation, below);
      return;
    }
    List<Signature> signatures =
        lowest
            ? formation.inputs().values().stream()
                .map(each -> each.signature().orElseThrow())
                .toList()
            : below.stream().map(ClusterDescriptor::prototype).toList();
    int entries = signatures.stream().mapToInt(Signature::size).max().orElse(0);
    step.put(formation.with(Stage.CLUSTERING));
    step.compute(
        formation.level(),
        new Ticket.Call(
            new ClusterSignatures(
                signatures,
                entries,
                lowest ? ClusterSignatures.ANY_SIZE : step.settings.fanOut(),
                step.settings.clusters())));
  }

  /**
   * The zone without members of another model: they have to find peers of the same model elsewhere.
   */
  private ZoneFormation withoutIncomparable(ZoneFormation formation) {
    List<PeerId> others =
        formation.inputs().entrySet().stream()
            .filter(each -> !isComparable(each.getValue()))
            .map(Map.Entry::getKey)
            .toList();
    others.forEach(_ -> step.count(OverlayStep.OTHER_MODEL));
    return others.isEmpty() ? formation : formation.without(others);
  }

  private boolean isComparable(ClusteringInput clusteringInput) {
    return clusteringInput.signature().stream().allMatch(step::isComparable)
        && step.areComparable(clusteringInput.clusters());
  }

  /**
   * No other zone is known on this level, no message of the next level has arrived, and this peer
   * has not started that level. Where the only other zone merged into this one after the next level
   * had started, that level has a zone with one member, which needs clusters to become the root.
   */
  private boolean isOnlyZone(ZoneFormation formation) {
    LevelState above = step.levelState(formation.level() + 1);
    return formation.adjacentZones().isEmpty()
        && !above.started()
        && above.earlyMessages().isEmpty();
  }

  private static List<ClusterDescriptor> childClusters(ZoneFormation formation) {
    List<ClusterDescriptor> below = new ArrayList<>();
    formation.inputs().values().forEach(each -> below.addAll(each.clusters()));
    return below;
  }

  private static QuantileSketch minimumEntries(ZoneFormation formation) {
    QuantileSketch sum = QuantileSketch.empty();
    for (ClusteringInput each : formation.inputs().values()) {
      sum = sum.merge(each.minimumEntries());
    }
    return sum;
  }

  void clusteringFinished(int level, ClusterSignatures.Clustered clustered) {
    ZoneFormation formation = step.formingZone(level);
    if (formation == null || formation.stage() != Stage.CLUSTERING) {
      // The peer has meanwhile joined an overlay that others built.
      step.count("overlay-clustering-discarded");
      return;
    }
    List<ClusterEntry> clusters = new ArrayList<>();
    for (int number = 0; number < clustered.clustering().count(); number++) {
      Signature prototype = clustered.prototypes().get(number);
      clusters.add(
          level == 1
              ? publishPeerCluster(formation, clustered.clustering(), number, prototype)
              : publishParentCluster(formation, clustered.clustering(), number, prototype));
    }
    step.raise(new OverlayEvent.ZoneBuilt(formation, clusters, List.of()));
    ZoneFormation published = formation.asPublished(minimumEntries(formation));
    step.put(published);
    reportClusters(level);
    step.raise(new OverlayEvent.ZoneClustered(published));
  }

  private ClusterEntry publishPeerCluster(
      ZoneFormation formation,
      ExemplarClustering exemplarClustering,
      int number,
      Signature prototype) {
    List<PeerId> peers = List.copyOf(formation.inputs().keySet());
    List<PeerId> members = exemplarClustering.members(number).stream().map(peers::get).toList();
    PeerId exemplar = peers.get(exemplarClustering.exemplars().get(number));
    List<PeerId> replicas =
        Replicas.choose(
            exemplar,
            members.stream().map(each -> replicaCandidate(formation, each)).toList(),
            peers.stream().map(each -> replicaCandidate(formation, each)).toList(),
            step.settings.replicas());
    ClusterDescriptor cluster =
        new ClusterDescriptor(
            number, exemplar, prototype, replicas, members.size(), formation.id());
    long version = step.zones().nextVersion(1);
    ReplicaAssigned replicaAssigned = new ReplicaAssigned(cluster, members, List.of(), version);
    replicas.forEach(each -> step.send(each, replicaAssigned));
    members.forEach(each -> step.send(each, new HomeClusterAssigned(cluster.id(), replicas)));
    return new ClusterEntry(cluster, members, List.of());
  }

  private static Replicas.Candidate replicaCandidate(ZoneFormation formation, PeerId peer) {
    ZoneMember member = formation.members().get(peer);
    return new Replicas.Candidate(peer, member == null ? 0 : member.capacity());
  }

  private ClusterEntry publishParentCluster(
      ZoneFormation formation,
      ExemplarClustering exemplarClustering,
      int number,
      Signature prototype) {
    List<ClusterDescriptor> all = childClusters(formation);
    List<ClusterDescriptor> children =
        exemplarClustering.members(number).stream().map(all::get).toList();
    ClusterDescriptor exemplar = all.get(exemplarClustering.exemplars().get(number));
    List<PeerId> replicas =
        Replicas.choose(
            exemplar.replicas().getFirst(),
            replicaCandidates(children),
            replicaCandidates(all),
            step.settings.replicas());
    ClusterDescriptor cluster =
        new ClusterDescriptor(
            number,
            exemplar.exemplar(),
            prototype,
            replicas,
            ClusterDescriptor.totalSize(children),
            formation.id());
    long version = step.zones().nextVersion(formation.level());
    ReplicaAssigned replicaAssigned = new ReplicaAssigned(cluster, List.of(), children, version);
    replicas.forEach(each -> step.send(each, replicaAssigned));
    for (ClusterDescriptor child : children) {
      ParentAssigned parentAssigned =
          new ParentAssigned(child.id(), cluster.id(), replicas, version);
      child.replicas().forEach(each -> step.send(each, parentAssigned));
    }
    return new ClusterEntry(cluster, List.of(), children);
  }

  /** Prefers the first replica of a cluster to the second, as descriptors have no capacity. */
  private static List<Replicas.Candidate> replicaCandidates(List<ClusterDescriptor> clusters) {
    List<Replicas.Candidate> candidates = new ArrayList<>();
    for (ClusterDescriptor each : clusters) {
      for (int i = 0; i < each.replicas().size(); i++) {
        candidates.add(new Replicas.Candidate(each.replicas().get(i), -i));
      }
    }
    return candidates;
  }

  /** Makes the child clusters of this zone the root clusters of the hierarchy. */
  private void becomeRoot(ZoneFormation formation, List<ClusterDescriptor> roots) {
    QuantileSketch least = minimumEntries(formation);
    long version = step.zones().nextVersion(formation.level());
    step.raise(new OverlayEvent.ZoneBuilt(formation, List.of(), roots));
    step.put(formation.asRoot(least));
    boolean mesh = step.settings.roots() == OverlaySettings.RootDissemination.MESH;
    List<List<PeerId>> replicas = roots.stream().map(ClusterDescriptor::replicas).toList();
    for (ClusterDescriptor root : roots) {
      OverlayMessage message =
          mesh
              ? new RootExchange(root.id(), replicas)
              : new RootClusters(root.id(), roots, version);
      root.replicas().forEach(each -> step.send(each, message));
    }
    RootId rootId = new RootId(formation.id(), 0, step.self());
    int dimension = roots.getFirst().prototype().dimension();
    int entries = Cardinality.networkWide(least, dimension, step.settings.signatures());
    for (ClusterDescriptor root : roots) {
      step.send(
          root.replicas().getFirst(),
          new OverlayBuilt(step.epoch(), entries, rootId, Optional.of(root.id())));
    }
  }
}
