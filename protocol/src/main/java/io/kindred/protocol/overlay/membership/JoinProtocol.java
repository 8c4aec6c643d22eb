package io.kindred.protocol.overlay.membership;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.ClusterReplica;
import io.kindred.protocol.overlay.Copies;
import io.kindred.protocol.overlay.JoinRequestBuilder;
import io.kindred.protocol.overlay.KnownEpochs;
import io.kindred.protocol.overlay.MembershipMessage.FindOverlay;
import io.kindred.protocol.overlay.MembershipMessage.JoinForward;
import io.kindred.protocol.overlay.MembershipMessage.JoinRequest;
import io.kindred.protocol.overlay.MembershipMessage.JoiningPeer;
import io.kindred.protocol.overlay.MembershipMessage.OverlayContact;
import io.kindred.protocol.overlay.MembershipMessage.ZoneFull;
import io.kindred.protocol.overlay.OverlayEvent;
import io.kindred.protocol.overlay.RootId;
import io.kindred.protocol.overlay.SearchMessage.ScoredCluster;
import io.kindred.protocol.overlay.ZoneLease;
import io.kindred.protocol.overlay.ZoneState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How a peer joins an overlay that is built (SemanticDFL, section 3.7). A neighbour names the
 * replicas of its home cluster. From there the join request ascends to the root and descends to the
 * most similar child on every level. The zone that it reaches admits the joining peer, or is full
 * and left out of the next request. If no zone admits the peer, or no neighbour has an overlay, the
 * peer begins the next epoch after a timeout.
 */
final class JoinProtocol {
  /** Leases after which a peer that no zone admits begins another epoch. */
  private static final int JOIN_TIMEOUT_LEASES = 8;

  private static final int MAX_FULL_ZONES = 64;

  private final MembershipStep step;

  JoinProtocol(MembershipStep step) {
    this.step = step;
  }

  /** Joins again after this peer lost its zone or missed a newer epoch. */
  void rejoin() {
    step.count("overlay-rejoin");
    step.handle(new MembershipEvent.ZonesGivenUp());
    step.put(step.status().withJoining(step.tick(), List.of()));
  }

  void findOverlay() {
    LocalStatus localStatus = step.status();
    if (localStatus.joiningSince() < 0) {
      step.put(localStatus.withJoining(step.tick(), List.of()));
    } else if (step.tick() - localStatus.joiningSince()
        > JOIN_TIMEOUT_LEASES * step.settings().maintenance().leaseTicks()) {
      step.count("overlay-epoch-forced");
      step.requestNextEpoch();
      return;
    }
    List<PeerId> neighbours = localStatus.neighbours();
    if (!neighbours.isEmpty() && step.signature().isPresent()) {
      PeerId next = neighbours.get((int) (localStatus.heartbeats() % neighbours.size()));
      step.send(next, new FindOverlay(step.epochs().newest()));
    }
  }

  /** Names the replicas of the home cluster to a peer that looks for an overlay. */
  void sendContact(PeerId from) {
    if (!step.epochs().any() || step.status().leaving()) {
      return;
    }
    Optional<RootId> root = step.membership().root();
    if (step.isReady() && root.isPresent()) {
      step.send(
          from,
          new OverlayContact(
              step.epoch(),
              root.get(),
              step.membership().signatureEntries().orElseThrow(),
              step.homeCluster().orElseThrow()));
    }
  }

  void contactReceived(OverlayContact overlayContact) {
    KnownEpochs epochs = step.epochs();
    if (overlayContact.epoch() < epochs.newest() || step.signature().isEmpty()) {
      return;
    }
    if (epochs.any() && overlayContact.epoch() == epochs.newest()) {
      if (step.isReady()) {
        return;
      }
    } else if (!epochs.canFollow(overlayContact.epoch())) {
      step.count("overlay-other-epoch");
      return;
    }
    // Other peers have built this overlay meanwhile: there is no election left to take part in.
    step.raise(new OverlayEvent.EpochJoined(overlayContact));
  }

  /** Asks a replica of the contact's home cluster, in the epoch that the contact is about. */
  void requestJoin(OverlayContact overlayContact) {
    step.setSignatureEntries(overlayContact.signatureEntries());
    step.setRoot(overlayContact.root());
    step.recordRootHeartbeat(1);
    LocalStatus localStatus = step.status();
    step.put(
        localStatus.withJoining(
            localStatus.joiningSince() < 0 ? step.tick() : localStatus.joiningSince(),
            localStatus.fullZones()));
    ClusterReplica.ClusterPointer home = overlayContact.homeCluster();
    step.send(
        home.replicas().get((int) (localStatus.heartbeats() % home.replicas().size())),
        new JoinRequest(describeSelf(), home.cluster(), true, localStatus.fullZones(), false));
  }

  /** Records the signature as the one that the peer is placed by. */
  private JoiningPeer describeSelf() {
    step.raise(new OverlayEvent.SignaturePlaced());
    return new JoiningPeer(
        step.self(),
        step.signature().orElseThrow(),
        step.context().capacity(),
        step.ownScoreOrDraw().proof());
  }

  /** The only member of a zone looks for another zone. */
  void joinAnotherZone(ZoneState zone) {
    Optional<ClusterReplica.ClusterPointer> home = step.homeCluster();
    if (home.isEmpty() || step.signature().isEmpty()) {
      return;
    }
    LocalStatus localStatus = step.status();
    List<ZoneId> full =
        localStatus.fullZones().contains(zone.zone())
            ? localStatus.fullZones()
            : Copies.with(localStatus.fullZones(), zone.zone());
    step.put(localStatus.withJoining(step.tick(), full));
    step.send(
        step.self(), new JoinRequest(describeSelf(), home.get().cluster(), true, full, false));
  }

  void routeJoin(JoinRequest joinRequest) {
    ClusterReplica replica = step.replica(joinRequest.cluster());
    if (replica == null) {
      step.count("overlay-no-such-replica");
      return;
    }
    if (joinRequest.ascending() && replica.parent().isPresent()) {
      ClusterReplica.ClusterPointer parent = replica.parent().get();
      forward(joinRequest, parent, true);
    } else if (joinRequest.ascending()) {
      List<ClusterDescriptor> roots =
          replica.roots().isEmpty()
              ? List.of(replica.descriptor())
              : List.copyOf(replica.roots().values());
      boolean allFull =
          roots.stream().allMatch(each -> joinRequest.fullZones().contains(each.zone()));
      descend(
          allFull
              ? JoinRequestBuilder.from(joinRequest).fullZones(List.of()).division(true).build()
              : joinRequest,
          replica,
          roots);
    } else if (joinRequest.cluster().level() > 1) {
      descend(joinRequest, replica, replica.children());
    } else {
      step.zones()
          .leaderOf(joinRequest.cluster().zone())
          .ifPresent(
              leader ->
                  step.send(
                      leader,
                      new JoinForward(
                          joinRequest.joiner(), joinRequest.cluster(), joinRequest.division())));
    }
  }

  private void descend(
      JoinRequest joinRequest, ClusterReplica replica, List<ClusterDescriptor> children) {
    List<ClusterDescriptor> open =
        children.stream().filter(each -> !joinRequest.fullZones().contains(each.zone())).toList();
    List<ScoredCluster> sorted = step.scoreClusters(joinRequest.joiner().signature(), open);
    if (sorted.isEmpty()) {
      step.send(joinRequest.joiner().peer(), new ZoneFull(replica.descriptor().zone()));
      return;
    }
    ScoredCluster best = sorted.getFirst();
    forward(joinRequest, new ClusterReplica.ClusterPointer(best.cluster(), best.replicas()), false);
  }

  private void forward(
      JoinRequest joinRequest, ClusterReplica.ClusterPointer to, boolean ascending) {
    List<PeerId> replicas = to.replicas();
    PeerId next =
        replicas.contains(step.self())
            ? step.self()
            : replicas.get(
                (int)
                    Math.floorMod(
                        joinRequest.joiner().peer().number() + step.tick(),
                        (long) replicas.size()));
    step.send(
        next,
        JoinRequestBuilder.from(joinRequest).cluster(to.cluster()).ascending(ascending).build());
  }

  void zoneFull(ZoneFull zoneFull) {
    ZoneLease parent = step.membership().leases().get(zoneFull.zone().level());
    if (zoneFull.zone().level() > 1 && parent != null && parent.zone().equals(zoneFull.zone())) {
      // The parent zone does not accept the zone that this peer leads.
      step.handle(new MembershipEvent.RepairImpossible());
      return;
    }
    LocalStatus localStatus = step.status();
    if (localStatus.joiningSince() < 0 || localStatus.fullZones().contains(zoneFull.zone())) {
      return;
    }
    List<ZoneId> more = new ArrayList<>(localStatus.fullZones());
    more.add(zoneFull.zone());
    step.put(
        localStatus.withJoining(
            localStatus.joiningSince(), more.size() > MAX_FULL_ZONES ? List.of() : more));
  }
}
