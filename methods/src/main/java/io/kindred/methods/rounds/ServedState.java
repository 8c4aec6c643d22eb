package io.kindred.methods.rounds;

import io.kindred.core.PeerId;
import io.kindred.core.weights.Weights;
import io.kindred.methods.Patience;
import java.util.List;
import java.util.Optional;

/** What the server and those it serves remember. */
public sealed interface ServedState {
  /** What a client is doing. */
  enum Phase {
    IDLE,
    SETTLING,
    WORKING,
    FINISHING
  }

  /**
   * What a client remembers.
   *
   * @param round the last round it was asked for; one more than there are once all is over
   * @param memory as it was when the phase began
   * @param draft as it is in the middle of the phase
   * @param enquiries how often it has asked the server for more since
   */
  record ClientState(int round, Phase phase, Memory memory, Memory draft, int enquiries)
      implements ServedState {
    ClientState in(Phase next, Memory newMemory) {
      return new ClientState(round, next, newMemory, newMemory, enquiries);
    }

    ClientState drafting(Memory newDraft) {
      return new ClientState(round, phase, memory, newDraft, enquiries);
    }

    ClientState enquiring() {
      return new ClientState(round, phase, memory, draft, enquiries + 1);
    }
  }

  /** What one client handed over. */
  record Reply(PeerId from, Parcel parcel) {}

  /**
   * What the server remembers.
   *
   * @param awaited the participants that have not answered yet; none while replies are averaged
   * @param weighed in which shares replies are mixed for each client, where each has a model
   * @param averaged the new models so far, one by one, while replies are averaged
   * @param askedTick when it asked them
   * @param answers how long the last answers took
   */
  record ServerState(
      int round,
      List<Weights> models,
      List<PeerId> awaited,
      List<Reply> replies,
      Optional<ServedRecipe.Weighed> weighed,
      List<Weights> averaged,
      long askedTick,
      List<Long> answers)
      implements ServedState {
    ServerState with(List<PeerId> stillAwaited, List<Reply> newReplies) {
      return new ServerState(
          round, models, stillAwaited, newReplies, weighed, averaged, askedTick, answers);
    }

    ServerState averaging(List<Weights> soFar) {
      return new ServerState(round, models, List.of(), replies, weighed, soFar, askedTick, answers);
    }

    ServerState weighing(Optional<ServedRecipe.Weighed> shares) {
      return new ServerState(
          round, models, List.of(), replies, shares, List.of(), askedTick, answers);
    }

    ServerState answered(long ticks) {
      return new ServerState(
          round,
          models,
          awaited,
          replies,
          weighed,
          averaged,
          askedTick,
          Patience.remember(answers, ticks));
    }
  }
}
