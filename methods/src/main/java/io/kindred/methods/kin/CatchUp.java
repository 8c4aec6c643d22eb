package io.kindred.methods.kin;

import io.kindred.core.peer.Step;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Weights;
import io.kindred.methods.kin.KinState.KeptModel;
import io.kindred.methods.kin.KinState.Task;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Brings a peer that the network is ahead of into its current round: a newcomer starts from the
 * best pulled model, a peer that returns mixes its model with the pulled ones before it trains.
 */
record CatchUp(KinMachine machine) {
  /** A peer is a newcomer if most peers that it asks have trained this many rounds. */
  private static final int MIN_ROUNDS_OF_OTHERS = 2;

  /** The first pull of a peer has ended. */
  Step<KinState> joined(KinState state, long tick) {
    int round = state.roundOfOthers(machine.context().rounds());
    if (round < MIN_ROUNDS_OF_OTHERS) {
      return machine.beginRound(state, tick);
    }
    return machine.perform(atRound(state, round).withTasks(List.of(Task.SELECT_START)), tick);
  }

  /** The pull after a restart has ended. A peer that missed nothing goes on as before. */
  Step<KinState> caughtUp(KinState state, long tick) {
    int round = state.roundOfOthers(machine.context().rounds());
    if (round < state.round() || machine.rules().pulled(atRound(state, round)).isEmpty()) {
      return machine.beginRound(state, tick);
    }
    return machine.perform(atRound(state, round).withTasks(List.of(Task.GUARD, Task.MIX)), tick);
  }

  private KinState atRound(KinState state, int round) {
    return KinStateBuilder.from(state)
        .round(Math.min(machine.context().rounds(), Math.max(state.round(), round)))
        .build();
  }

  /** The shared model has been mixed before the training of a round. */
  Step<KinState> mixed(KinState state, Weights weights, long tick) {
    KeptModel shared = state.models().shared();
    return machine.beginRound(
        state.withModels(
            KeptModelsBuilder.from(state.models())
                .shared(shared.trained(weights, shared.velocity()))
                .build()),
        tick);
  }

  /** Starts from the pulled model with the least loss on the own samples. */
  Step<KinState> startSelected(KinState state, List<Floats> losses, long tick) {
    List<GuardModels.PulledModel> pulled = machine.rules().pulled(state);
    int best = KinRound.least(losses);
    if (best < 0) {
      return machine.beginRound(state, tick);
    }
    Weights weights = pulled.get(best).weights();
    KinState started =
        state.withModels(
            KeptModelsBuilder.from(state.models()).shared(KeptModel.of(weights)).build());
    return machine.beginRound(
        choiceOfOthers(state)
            .filter(_ -> state.choice().choice().isEmpty())
            .map(choice -> Choosing.withChoice(started, choice, Optional.empty()))
            .orElse(started),
        tick);
  }

  /** What most of the asked peers deploy, as far as a newcomer can; the earlier one of equals. */
  private static Optional<Choice> choiceOfOthers(KinState state) {
    SortedMap<Choice, Integer> votes = new TreeMap<>();
    state.pull().answers().stream()
        .map(each -> each.reply().choice())
        .flatMap(Optional::stream)
        .forEach(each -> votes.merge(each.forNewcomer(), 1, Integer::sum));
    Optional<Choice> most = Optional.empty();
    int mostVotes = 0;
    for (Map.Entry<Choice, Integer> each : votes.entrySet()) {
      if (each.getValue() > mostVotes) {
        mostVotes = each.getValue();
        most = Optional.of(each.getKey());
      }
    }
    return most;
  }
}
