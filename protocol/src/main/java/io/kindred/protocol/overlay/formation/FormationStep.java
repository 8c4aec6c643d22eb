package io.kindred.protocol.overlay.formation;

import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.StepOutcome;
import io.kindred.protocol.overlay.StepView;
import io.kindred.protocol.overlay.SubProtocolStep;
import io.kindred.protocol.overlay.ZoneRef;
import io.kindred.protocol.vrf.ElectionScore;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A step of zone formation while it is computed. */
final class FormationStep extends SubProtocolStep {
  private final BiConsumer<FormationStep, FormationEvent> handlers;
  private FormationState state;

  FormationStep(
      FormationState state, StepView view, BiConsumer<FormationStep, FormationEvent> handlers) {
    super(view);
    this.state = state;
    this.handlers = handlers;
  }

  StepOutcome<FormationState> finish() {
    return outcome(state);
  }

  /** Has another part of zone formation handle an event, before this one goes on. */
  void handle(FormationEvent event) {
    handlers.accept(this, event);
  }

  FormationState state() {
    return state;
  }

  void put(FormationState next) {
    state = next;
  }

  ZoneId ownZone(int level) {
    return view().ownZone(level);
  }

  ElectionScore.ProvenScore ownScore() {
    return state
        .ownScore()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    self() + " takes part in an election before it has drawn its score"));
  }

  LevelState levelState(int level) {
    return state.level(level);
  }

  void put(LevelState level) {
    state = state.with(level);
  }

  @Nullable ZoneFormation formingZone(int level) {
    return state.formingZones().get(level);
  }

  void put(ZoneFormation formation) {
    state = state.with(formation);
  }

  @Nullable ZoneRef mergedInto(int level) {
    return state.mergedInto().get(level);
  }
}
