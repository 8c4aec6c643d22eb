package io.kindred.protocol.overlay.clustering;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ClusterSignatures;
import io.kindred.protocol.clustering.ExemplarClustering;
import io.kindred.protocol.overlay.MembershipMessage.SignatureChanged;
import io.kindred.protocol.overlay.OverlayEvent;
import io.kindred.protocol.overlay.OverlayMessage.SignatureProbe;
import io.kindred.protocol.overlay.OverlayMessage.SignatureReply;
import io.kindred.protocol.overlay.SubProtocolStep;
import io.kindred.protocol.overlay.ZoneLease;
import io.kindred.protocol.overlay.ZoneState;
import io.kindred.protocol.overlay.ZoneState.ClusterEntry;
import io.kindred.protocol.signature.Signature;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Clusters a zone again when models drift. A peer whose signature has drifted from the one that it
 * was placed with reports that to its zone's leader. The leader collects the signatures of all
 * members and clusters them again. Parent zones learn of it as of any other change; other zones do
 * not.
 */
final class Reclustering {
  private final ClusteringStep step;

  Reclustering(ClusteringStep step) {
    this.step = step;
  }

  /** Reports drift to the zone's leader if the new signature is too far from the placed one. */
  void signatureUpdated() {
    Optional<Signature> given = step.localSignature().placementSignature();
    Optional<Signature> now = step.localSignature().signature();
    if (!step.settings().maintenance().enabled()
        || given.isEmpty()
        || now.isEmpty()
        || given.get().dimension() != now.get().dimension()
        || !step.settings().maintenance().isDrift(given.get().cosine(now.get()))) {
      return;
    }
    ZoneLease home = step.zones().leases().get(1);
    if (home != null && step.isReady()) {
      step.count("overlay-drifted");
      step.send(home.leader(), new SignatureChanged(home.zone()));
    }
  }

  void driftReported(SignatureChanged signatureChanged) {
    ZoneState zone = step.zones().ledZones().get(1);
    if (zone != null
        && zone.zone().equals(signatureChanged.zone())
        && step.reclustering().isEmpty()
        && zone.members().size() > 1) {
      step.setReclustering(Optional.of(ReclusteringState.driftDetected(step.tick())));
    }
  }

  /**
   * Called at every heartbeat of the zone's leader. A member that does not answer for a lease stays
   * in its cluster.
   */
  void advance(ZoneState zone) {
    Optional<ReclusteringState> reclusteringState = step.reclustering();
    if (reclusteringState.isEmpty()
        || step.tick() - reclusteringState.get().since()
            < step.settings().maintenance().leaseTicks()) {
      return;
    }
    switch (reclusteringState.get().stage()) {
      case DRIFT_DETECTED -> {
        step.setReclustering(
            Optional.of(
                reclusteringState.get().inStage(ReclusteringState.Stage.COLLECTING, step.tick())));
        for (PeerId member : zone.members().keySet()) {
          step.send(member, new SignatureProbe(zone.zone()));
        }
      }
      case COLLECTING -> startClustering(reclusteringState.get());
      case CLUSTERING -> {
        // The computation is running.
      }
    }
  }

  /** Returns whether the signature was requested for reclustering. */
  boolean signatureReceived(PeerId from, SignatureReply reply) {
    ZoneState zone = step.zones().ledZones().get(1);
    Optional<ReclusteringState> reclusteringState = step.reclustering();
    if (zone == null
        || reclusteringState.isEmpty()
        || reclusteringState.get().stage() != ReclusteringState.Stage.COLLECTING
        || !zone.zone().equals(reply.zone())) {
      return false;
    }
    boolean comparable =
        zone.descriptors().stream()
            .allMatch(each -> each.prototype().dimension() == reply.signature().dimension());
    if (!comparable || !step.isComparable(reply.signature())) {
      step.count(SubProtocolStep.OTHER_MODEL);
    } else {
      ReclusteringState updated = reclusteringState.get().with(from, reply.signature());
      step.setReclustering(Optional.of(updated));
      if (updated.signatures().keySet().containsAll(zone.members().keySet())) {
        startClustering(updated);
      }
    }
    return true;
  }

  private void startClustering(ReclusteringState reclusteringState) {
    if (reclusteringState.signatures().isEmpty()) {
      step.setReclustering(Optional.empty());
      return;
    }
    step.setReclustering(
        Optional.of(reclusteringState.inStage(ReclusteringState.Stage.CLUSTERING, step.tick())));
    List<Signature> signatures = List.copyOf(reclusteringState.signatures().values());
    int entries = signatures.stream().mapToInt(Signature::size).max().orElse(0);
    step.compute(
        ClusteringProtocol.RECLUSTERING_LEVEL,
        new Ticket.Call(
            new ClusterSignatures(
                signatures, entries, ClusterSignatures.ANY_SIZE, step.settings().clusters())));
  }

  void clusteringFinished(ClusterSignatures.Clustered clustered) {
    ZoneState zone = step.zones().ledZones().get(1);
    Optional<ReclusteringState> reclusteringState = step.reclustering();
    if (zone == null
        || reclusteringState.isEmpty()
        || reclusteringState.get().stage() != ReclusteringState.Stage.CLUSTERING) {
      step.count("overlay-clustering-discarded");
      return;
    }
    step.setReclustering(Optional.empty());
    step.count("overlay-reclustered");
    List<ClusterEntry> now =
        matchClusters(zone, List.copyOf(reclusteringState.get().signatures().keySet()), clustered);
    if (!now.isEmpty()) {
      step.raise(new OverlayEvent.ZoneRevised(zone, zone.with(now)));
    }
  }

  /**
   * The new clusters, each under the index of the old one that most of its peers come from.
   * Replicas of the old cluster that belong to the new one remain replicas.
   */
  private static List<ClusterEntry> matchClusters(
      ZoneState zone, List<PeerId> peers, ClusterSignatures.Clustered clustered) {
    ExemplarClustering exemplarClustering = clustered.clustering();
    List<ClusterEntry> before = new ArrayList<>(zone.clusters());
    int next = 1 + before.stream().mapToInt(each -> each.descriptor().index()).max().orElse(-1);
    Set<PeerId> placed = new TreeSet<>();
    List<ClusterEntry> now = new ArrayList<>();
    for (int i = 0; i < exemplarClustering.count(); i++) {
      List<PeerId> members =
          exemplarClustering.members(i).stream()
              .map(peers::get)
              .filter(peer -> zone.members().containsKey(peer))
              .toList();
      if (members.isEmpty()) {
        continue;
      }
      placed.addAll(members);
      PeerId exemplar = peers.get(exemplarClustering.exemplars().get(i));
      PeerId first = members.contains(exemplar) ? exemplar : members.getFirst();
      Optional<ClusterEntry> same =
          before.stream()
              .filter(each -> commonMembers(each, members) > 0)
              .max(Comparator.comparingLong(each -> commonMembers(each, members)));
      same.ifPresent(before::remove);
      List<PeerId> replicas =
          same.map(each -> each.descriptor().replicas().stream().filter(members::contains).toList())
              .filter(each -> !each.isEmpty())
              .orElse(List.of(first));
      int index = same.map(each -> each.descriptor().index()).orElse(next);
      next = same.isPresent() ? next : next + 1;
      now.add(
          new ClusterEntry(
              new ClusterDescriptor(
                  index,
                  first,
                  clustered.prototypes().get(i),
                  replicas,
                  members.size(),
                  zone.zone()),
              members,
              List.of()));
    }
    return withSilentMembers(zone, placed, now);
  }

  private static long commonMembers(ClusterEntry cluster, List<PeerId> members) {
    return members.stream().filter(cluster.members()::contains).count();
  }

  /**
   * A member that did not answer stays in its cluster; if that no longer exists, it joins the first
   * one.
   */
  private static List<ClusterEntry> withSilentMembers(
      ZoneState zone, Set<PeerId> placed, List<ClusterEntry> found) {
    List<ClusterEntry> now = new ArrayList<>(found);
    for (PeerId peer : zone.members().keySet()) {
      if (now.isEmpty() || placed.contains(peer)) {
        continue;
      }
      int home = 0;
      for (int i = 0; i < now.size(); i++) {
        if (zone.clusterOf(peer)
            .map(ClusterEntry::id)
            .filter(now.get(i).id()::equals)
            .isPresent()) {
          home = i;
        }
      }
      now.set(home, ClusterPlacement.withMember(now.get(home), peer));
    }
    return now;
  }
}
