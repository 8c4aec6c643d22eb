package io.kindred.protocol.overlay.clustering;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.overlay.MembershipMessage;
import io.kindred.protocol.overlay.OverlayEvent;
import io.kindred.protocol.overlay.OverlayInput;
import io.kindred.protocol.overlay.OverlayLocalMessage.SignatureUpdated;
import io.kindred.protocol.overlay.OverlayMessage;
import io.kindred.protocol.overlay.OverlayTimer;
import io.kindred.protocol.overlay.StepOutcome;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The second sub-protocol of the overlay: zones are clustered, and super-peers hold replicas of the
 * clusters. A pure function of its state, an input and what it may read.
 */
public final class ClusteringProtocol {
  /** Used in place of a level: the result is not for a zone that is being formed. */
  public static final int RECLUSTERING_LEVEL = 0;

  private ClusteringProtocol() {}

  public static StepOutcome<PeerClustering> step(
      PeerClustering state, OverlayInput input, ClusteringView view) {
    ClusteringStep step = new ClusteringStep(state, view);
    switch (input) {
      case OverlayEvent.Clustering event -> raised(step, event);
      case OverlayInput.MessageReceived(PeerId _, MembershipMessage.SignatureChanged changed) ->
          new Reclustering(step).driftReported(changed);
      case OverlayInput.MessageReceived(PeerId _, MembershipMessage.ReplicaRemoved removed) ->
          new HierarchyUpdates(step).replicaRemoved(removed);
      case OverlayInput.MessageReceived(PeerId from, OverlayMessage message) ->
          received(step, from, message);
      case OverlayInput.TimerDue(OverlayTimer.FormationDue due) ->
          new ZoneClustering(step).collectTimedOut(due.level());
      case OverlayInput.ClusteringComputed computed when computed.level() == RECLUSTERING_LEVEL ->
          new Reclustering(step).clusteringFinished(computed.clustered());
      case OverlayInput.ClusteringComputed computed ->
          new ZoneClustering(step).clusteringFinished(computed.level(), computed.clustered());
      case OverlayInput.MethodRequest(SignatureUpdated updated) -> {
        new ZoneClustering(step).signatureUpdated(updated);
        new Reclustering(step).signatureUpdated();
      }
      default -> throw new IllegalArgumentException("clustering does not handle " + input);
    }
    return step.finish();
  }

  private static void received(ClusteringStep step, PeerId from, OverlayMessage message) {
    ZoneClustering clustering = new ZoneClustering(step);
    HierarchyUpdates hierarchy = new HierarchyUpdates(step);
    switch (message) {
      case OverlayMessage.SignatureProbe probe -> clustering.signatureRequested(from, probe);
      case OverlayMessage.SignatureReply reply -> {
        if (!new Reclustering(step).signatureReceived(from, reply)) {
          clustering.signatureReceived(from, reply);
        }
      }
      case OverlayMessage.ClusterReport report -> clustering.clustersReported(from, report);
      case OverlayMessage.ReplicaAssigned assigned -> hierarchy.replicaAssigned(from, assigned);
      case OverlayMessage.ParentAssigned assigned -> hierarchy.parentAssigned(assigned);
      case OverlayMessage.RootClusters roots -> hierarchy.rootsReceived(roots);
      case OverlayMessage.RootExchange exchange -> hierarchy.exchangeRoots(exchange);
      case OverlayMessage.RootDescriptor root -> hierarchy.rootReceived(root);
      case OverlayMessage.OverlayBuilt built -> hierarchy.overlayBuilt(built);
      default -> throw new IllegalArgumentException("clustering does not handle " + message);
    }
  }

  private static void raised(ClusteringStep step, OverlayEvent.Clustering event) {
    ZoneClustering clustering = new ZoneClustering(step);
    HierarchyUpdates hierarchy = new HierarchyUpdates(step);
    switch (event) {
      case OverlayEvent.ZoneSettled settled -> clustering.collectInputs(settled.level());
      case OverlayEvent.RootDemoted demoted -> clustering.startClustering(demoted.level());
      case OverlayEvent.LateMemberAsked asked -> clustering.startCollectTimer(asked.level());
      case OverlayEvent.ZonePublished published -> clustering.reportClusters(published.level());
      case OverlayEvent.RootDescriptorDue due -> hierarchy.sendRoot(due.exchange());
      case OverlayEvent.DriftCheckDue due -> new Reclustering(step).advance(due.zone());
      case OverlayEvent.SignaturePlaced _ -> step.put(step.localSignature().markPlaced());
      case OverlayEvent.LowestZoneLeft _ -> step.setReclustering(Optional.empty());
      case OverlayEvent.ReplicasGivenUp _ -> step.put(step.state().withReplicas(new TreeMap<>()));
      case OverlayEvent.ReplicaCheckDue due -> hierarchy.dropStaleReplicas(due.oldestTick());
    }
  }
}
