package io.kindred.protocol.overlay.clustering;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ClusterSignatures;
import io.kindred.protocol.clustering.ExemplarClustering;
import io.kindred.protocol.clustering.Replicas;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.OverlayEvent;
import io.kindred.protocol.overlay.OverlayLocalMessage;
import io.kindred.protocol.overlay.OverlayMessage;
import io.kindred.protocol.overlay.OverlayMessage.ClusterReport;
import io.kindred.protocol.overlay.OverlayMessage.HomeClusterAssigned;
import io.kindred.protocol.overlay.OverlayMessage.OverlayBuilt;
import io.kindred.protocol.overlay.OverlayMessage.ParentAssigned;
import io.kindred.protocol.overlay.OverlayMessage.ReplicaAssigned;
import io.kindred.protocol.overlay.OverlayMessage.RootClusters;
import io.kindred.protocol.overlay.OverlayMessage.RootExchange;
import io.kindred.protocol.overlay.OverlayMessage.SignatureProbe;
import io.kindred.protocol.overlay.OverlayMessage.SignatureReply;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.OverlayTimer.FormationTimer;
import io.kindred.protocol.overlay.RootId;
import io.kindred.protocol.overlay.SubProtocolStep;
import io.kindred.protocol.overlay.ZoneMember;
import io.kindred.protocol.overlay.ZoneState;
import io.kindred.protocol.overlay.ZoneState.ClusterEntry;
import io.kindred.protocol.overlay.ZoneState.MemberEntry;
import io.kindred.protocol.overlay.clustering.ZoneInputs.ClusteringInput;
import io.kindred.protocol.overlay.formation.LevelState;
import io.kindred.protocol.overlay.formation.ZoneFormation;
import io.kindred.protocol.overlay.formation.ZoneFormation.Stage;
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

  private final ClusteringStep step;

  ZoneClustering(ClusteringStep step) {
    this.step = step;
  }

  /** The signature of a new model: a zone that waits for it gets it. */
  void signatureUpdated(OverlayLocalMessage.SignatureUpdated signatureUpdated) {
    LocalSignature before = step.localSignature();
    step.put(
        LocalSignatureBuilder.from(before)
            .signature(Optional.of(signatureUpdated.signature()))
            .minimumEntries(signatureUpdated.minimumEntries())
            .build());
    step.raise(
        new OverlayEvent.SignatureReplaced(
            similarity(before.signature(), signatureUpdated.signature())));
    before.requestedBy().ifPresent(zone -> sendSignature(zone, zone.initiator()));
  }

  private static double similarity(Optional<Signature> before, Signature now) {
    return before.filter(last -> last.dimension() == now.dimension()).map(now::cosine).orElse(1.0);
  }

  void signatureRequested(PeerId from, SignatureProbe probe) {
    ZoneId zone = probe.zone();
    if (zone.level() > 1) {
      int below = zone.level() - 1;
      if (step.formingZone(below) != null) {
        step.put(below, step.inputs(below).withRequester(zone));
        step.raise(new OverlayEvent.ParentZoneKnown(zone));
        reportClusters(below);
      }
    } else if (step.localSignature().signature().isPresent()) {
      sendSignature(zone, from);
    } else {
      step.put(step.localSignature().withRequester(zone));
    }
  }

  private void sendSignature(ZoneId zone, PeerId to) {
    LocalSignature localSignature = step.localSignature();
    step.put(localSignature.markPlaced());
    step.send(
        to,
        new SignatureReply(
            zone, localSignature.signature().orElseThrow(), localSignature.minimumEntries()));
  }

  /** Reports the present clusters of a zone, which may differ from those first found. */
  void reportClusters(int level) {
    ZoneFormation formation = step.formingZone(level);
    ZoneState zoneState = step.zones().ledZones().get(level);
    if (formation != null && zoneState != null && formation.stage() == Stage.PUBLISHED) {
      ZoneInputs inputs = step.inputs(level);
      inputs
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
                          inputs.minimumEntries())));
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

  /** A child zone of a zone that is being formed has reported its clusters. */
  void clustersReported(PeerId from, ClusterReport report) {
    addInput(
        from,
        report.zone(),
        new ClusteringInput(Optional.empty(), report.clusters(), report.minimumEntries()));
  }

  /**
   * Asks all members for what is to be clustered, with a timeout where the overlay is maintained.
   */
  void collectInputs(int level) {
    step.put(level, ZoneInputs.NONE);
    ZoneFormation formation = step.formingZone(level);
    if (formation == null) {
      return;
    }
    for (PeerId member : formation.members().keySet()) {
      step.send(member, new SignatureProbe(formation.id()));
    }
    startCollectTimer(level);
  }

  /** Limits how long the leader waits for inputs, where the overlay is maintained. */
  void startCollectTimer(int level) {
    if (step.settings().maintenance().enabled()) {
      step.setLevelTimer(FormationTimer.COLLECT_TIMEOUT, level, collectTimeoutTicks(level));
    }
  }

  /** Longer on higher levels, as child zones take longer there. */
  private long collectTimeoutTicks(int level) {
    return (long) COLLECT_TIMEOUT_WAVES * level * step.settings().waveTicks();
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
    ZoneInputs inputs = step.inputs(level);
    boolean waits = step.localSignature().signature().isEmpty() || inputs.inputs().isEmpty();
    List<PeerId> missing =
        formation.members().keySet().stream()
            .filter(member -> !inputs.inputs().containsKey(member))
            .toList();
    if (!waits && formation.stage() == Stage.COLLECTING_AGAIN) {
      step.count("overlay-left-out");
      step.raise(new OverlayEvent.MembersLeftOut(level, missing));
      startClustering(formation.without(missing));
      return;
    }
    for (PeerId member : missing) {
      step.send(member, new SignatureProbe(formation.id()));
    }
    if (!waits) {
      step.raise(new OverlayEvent.InputsMissing(level));
    }
    step.setLevelTimer(FormationTimer.COLLECT_TIMEOUT, level, collectTimeoutTicks(level));
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
    ZoneInputs updated = step.inputs(zone.level()).with(from, clusteringInput);
    step.put(zone.level(), updated);
    if (updated.inputs().keySet().containsAll(formation.members().keySet())) {
      startClustering(formation);
    }
  }

  void startClustering(int level) {
    ZoneFormation formation = step.formingZone(level);
    if (formation != null) {
      startClustering(formation);
    }
  }

  private void startClustering(ZoneFormation formation) {
    int level = formation.level();
    List<PeerId> incomparable = incomparableMembers(level);
    ZoneInputs inputs = step.inputs(level).without(incomparable);
    boolean lowest = level == 1;
    List<ClusterDescriptor> below = inputs.childClusters();
    if (lowest ? inputs.inputs().isEmpty() : below.isEmpty()) {
      step.count("overlay-nothing-to-cluster");
      return;
    }
    step.put(level, inputs);
    if (!lowest && isOnlyZone(formation) && below.size() < step.settings().zoneSize()) {
      becomeRoot(formation.without(incomparable), incomparable);
      return;
    }
    List<Signature> signatures =
        lowest
            ? inputs.inputs().values().stream().map(each -> each.signature().orElseThrow()).toList()
            : below.stream().map(ClusterDescriptor::prototype).toList();
    int entries = signatures.stream().mapToInt(Signature::size).max().orElse(0);
    step.raise(new OverlayEvent.ClusteringStarted(level, incomparable));
    step.compute(
        level,
        new Ticket.Call(
            new ClusterSignatures(
                signatures,
                entries,
                lowest ? ClusterSignatures.ANY_SIZE : step.settings().fanOut(),
                step.settings().clusters())));
  }

  /** Members of another model: they have to find peers of the same model elsewhere. */
  private List<PeerId> incomparableMembers(int level) {
    List<PeerId> others =
        step.inputs(level).inputs().entrySet().stream()
            .filter(each -> !isComparable(each.getValue()))
            .map(Map.Entry::getKey)
            .toList();
    others.forEach(_ -> step.count(SubProtocolStep.OTHER_MODEL));
    return others;
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
    step.raise(zoneBuilt(formation, clusters, List.of()));
    step.put(level, step.inputs(level).clustered());
    step.raise(new OverlayEvent.ZoneClustered(level));
  }

  private OverlayEvent.ZoneBuilt zoneBuilt(
      ZoneFormation formation, List<ClusterEntry> clusters, List<ClusterDescriptor> rootClusters) {
    ZoneInputs inputs = step.inputs(formation.level());
    SortedMap<PeerId, MemberEntry> members = new TreeMap<>();
    for (ZoneMember each : formation.members().values()) {
      ClusteringInput input = inputs.inputs().get(each.peer());
      Optional<ZoneId> childZone =
          input == null || input.clusters().isEmpty()
              ? Optional.empty()
              : Optional.of(input.clusters().getFirst().zone());
      members.put(
          each.peer(), new MemberEntry(each.peer(), each.capacity(), each.score(), childZone, 0));
    }
    return new OverlayEvent.ZoneBuilt(
        formation.id(), members, clusters, rootClusters, inputs.requestedBy());
  }

  private ClusterEntry publishPeerCluster(
      ZoneFormation formation,
      ExemplarClustering exemplarClustering,
      int number,
      Signature prototype) {
    List<PeerId> peers = List.copyOf(step.inputs(1).inputs().keySet());
    List<PeerId> members = exemplarClustering.members(number).stream().map(peers::get).toList();
    PeerId exemplar = peers.get(exemplarClustering.exemplars().get(number));
    List<PeerId> replicas =
        Replicas.choose(
            exemplar,
            members.stream().map(each -> replicaCandidate(formation, each)).toList(),
            peers.stream().map(each -> replicaCandidate(formation, each)).toList(),
            step.settings().replicas());
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
    List<ClusterDescriptor> all = step.inputs(formation.level()).childClusters();
    List<ClusterDescriptor> children =
        exemplarClustering.members(number).stream().map(all::get).toList();
    ClusterDescriptor exemplar = all.get(exemplarClustering.exemplars().get(number));
    List<PeerId> replicas =
        Replicas.choose(
            exemplar.replicas().getFirst(),
            replicaCandidates(children),
            replicaCandidates(all),
            step.settings().replicas());
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
  private void becomeRoot(ZoneFormation formation, List<PeerId> leftOut) {
    int level = formation.level();
    ZoneInputs inputs = step.inputs(level);
    List<ClusterDescriptor> roots = inputs.childClusters();
    QuantileSketch least = inputs.sumOfMinimumEntries();
    long version = step.zones().nextVersion(level);
    step.raise(zoneBuilt(formation, List.of(), roots));
    step.put(level, inputs.asRoot());
    step.raise(new OverlayEvent.RootDeclared(level, leftOut));
    boolean mesh = step.settings().roots() == OverlaySettings.RootDissemination.MESH;
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
    int entries = Cardinality.networkWide(least, dimension, step.settings().signatures());
    for (ClusterDescriptor root : roots) {
      step.send(
          root.replicas().getFirst(),
          new OverlayBuilt(step.epoch(), entries, rootId, Optional.of(root.id())));
    }
  }
}
