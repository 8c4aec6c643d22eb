package io.kindred.protocol.overlay;

import io.kindred.core.config.Catalogue;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.LocalMessage;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Bytes;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.signature.Signature;
import io.kindred.protocol.vrf.ElectionScore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A step of a sub-protocol while it is computed: the effects and events so far. A subclass adds the
 * state of its sub-protocol, which nothing else can change.
 */
public abstract class SubProtocolStep {
  /** Counted where a signature cannot be compared with the own one. */
  public static final String OTHER_MODEL = "overlay-other-model";

  /** Counted when an election proof does not belong to the key of its peer or to the epoch. */
  public static final String REFUSED_PROOF = "overlay-refused-proof";

  private final StepView view;
  private final List<Effect> effects = new ArrayList<>();
  private final List<OverlayEvent> events = new ArrayList<>();

  protected SubProtocolStep(StepView view) {
    this.view = view;
  }

  protected final <S> StepOutcome<S> outcome(S state) {
    return new StepOutcome<>(state, effects, events);
  }

  protected final void setTimer(OverlayTimer timer, long afterTicks) {
    effects.add(new Effect.SetTimer(timer.toTimer(), afterTicks));
  }

  protected final void add(Effect effect) {
    effects.add(effect);
  }

  public final StepView view() {
    return view;
  }

  public final OverlayContext context() {
    return view.context();
  }

  public final OverlaySettings settings() {
    return view.settings();
  }

  public final long tick() {
    return view.tick();
  }

  public final PeerId self() {
    return view.self();
  }

  /** The epoch that this step works on. */
  public final long epoch() {
    return view.epoch();
  }

  public final void send(PeerId to, Message message) {
    effects.add(new Effect.Send(to, message));
  }

  /** Sets a timer of this epoch and a level. */
  public final void setLevelTimer(OverlayTimer.FormationTimer due, int level, long afterTicks) {
    setTimer(new OverlayTimer.FormationDue(due, epoch(), level), afterTicks);
  }

  /** Has an event handled once this step has ended. */
  public final void raise(OverlayEvent event) {
    events.add(event);
  }

  public final void notifyMethod(LocalMessage message) {
    effects.add(new Effect.Notify(Component.METHOD, message));
  }

  public final void count(String name) {
    effects.add(new Effect.Observe(new Observation.Counted(name)));
  }

  /** Counts, by type, a message whose sender is not in the role that it needs. */
  public final void refuse(Message message) {
    count(refusal(message));
  }

  /** What a refused message is counted as. */
  public static String refusal(Message message) {
    return "overlay-refused-" + Catalogue.nameOf(message.getClass()).replace("overlay/", "");
  }

  /**
   * Clusters by the similarity of their prototypes to a signature; none where the signature is of
   * another model than this peer's own, because a scorer takes as much memory as the model has
   * weights.
   */
  public final List<SearchMessage.ScoredCluster> scoreClusters(
      Optional<Signature> own, Signature signature, List<ClusterDescriptor> clusters) {
    if (!ClusterScores.isComparable(own, signature)) {
      count(OTHER_MODEL);
      return List.of();
    }
    return ClusterScores.score(signature, clusters);
  }

  /** The score that a proof shows; a refused proof is counted. */
  public final Optional<ElectionScore> verifyScore(PeerId peer, Bytes proof) {
    Optional<ElectionScore> electionScore =
        context().verifier().verify(peer, view.previousEpoch(), proof);
    if (electionScore.isEmpty()) {
      count(REFUSED_PROOF);
    }
    return electionScore;
  }
}
