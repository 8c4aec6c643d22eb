package io.kindred.protocol.overlay.clustering;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.overlay.ClusterReplica;
import io.kindred.protocol.overlay.ClusterScores;
import io.kindred.protocol.overlay.Copies;
import io.kindred.protocol.overlay.OverlayMessage;
import io.kindred.protocol.overlay.OverlayTimer;
import io.kindred.protocol.overlay.StepOutcome;
import io.kindred.protocol.overlay.SubProtocolStep;
import io.kindred.protocol.overlay.ZoneView;
import io.kindred.protocol.overlay.formation.LevelState;
import io.kindred.protocol.overlay.formation.ZoneFormation;
import io.kindred.protocol.signature.Signature;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A step of clustering while it is computed. */
final class ClusteringStep extends SubProtocolStep {
  private final ClusteringView view;
  private LocalSignature localSignature;
  private ClusteringState state;

  ClusteringStep(PeerClustering state, ClusteringView view) {
    super(view.step());
    this.view = view;
    this.localSignature = state.local();
    this.state = state.epoch();
  }

  StepOutcome<PeerClustering> finish() {
    return outcome(new PeerClustering(localSignature, state));
  }

  void compute(int level, Ticket work) {
    add(new Effect.Compute(OverlayTimer.number(epoch(), level), work));
  }

  LocalSignature localSignature() {
    return localSignature;
  }

  void put(LocalSignature next) {
    localSignature = next;
  }

  /** The zone that this peer leads on a level while zones form. */
  @Nullable ZoneFormation formingZone(int level) {
    return view.formation().formingZones().get(level);
  }

  LevelState levelState(int level) {
    return view.formation().level(level);
  }

  ZoneView zones() {
    return view.zones();
  }

  /** Whether the peer has a home cluster and knows that the overlay is built. */
  boolean isReady() {
    return view.ready();
  }

  boolean isComparable(Signature other) {
    return ClusterScores.isComparable(localSignature.signature(), other);
  }

  boolean areComparable(List<ClusterDescriptor> clusters) {
    return ClusterScores.areComparable(localSignature.signature(), clusters);
  }

  ZoneInputs inputs(int level) {
    return state.inputs(level);
  }

  void put(int level, ZoneInputs next) {
    state = state.with(level, next);
  }

  @Nullable ClusterReplica replica(ClusterId cluster) {
    return state.heldReplicas().get(cluster);
  }

  List<ClusterReplica> replicas() {
    return List.copyOf(state.heldReplicas().values());
  }

  void put(ClusterReplica replica) {
    state =
        state.withReplicas(Copies.with(state.heldReplicas(), replica.descriptor().id(), replica));
  }

  void dropReplica(ClusterId cluster) {
    state = state.withReplicas(Copies.without(state.heldReplicas(), cluster));
  }

  void put(ClusteringState next) {
    state = next;
  }

  ClusteringState state() {
    return state;
  }

  List<OverlayMessage> earlyMessages() {
    return state.earlyMessages();
  }

  void earlyMessages(List<OverlayMessage> messages) {
    state = state.withEarly(messages);
  }

  Optional<ReclusteringState> reclustering() {
    return state.reclustering();
  }

  void setReclustering(Optional<ReclusteringState> next) {
    state = state.withReclustering(next);
  }
}
