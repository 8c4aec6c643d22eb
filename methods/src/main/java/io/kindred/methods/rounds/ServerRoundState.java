package io.kindred.methods.rounds;

import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.TimeoutPolicy;
import java.util.List;
import java.util.Optional;

/** What the server and those it serves remember. */
public sealed interface ServerRoundState {
  /** What a client is doing. */
  enum Phase {
    IDLE,
    COMPLETING_ROUND,
    WORKING,
    FINISHING
  }

  /**
   * What a client remembers.
   *
   * @param round the last round it was asked for; one more than there are once all is over
   * @param localState as it was when the phase began
   * @param draftState as it is in the middle of the phase
   * @param polls how often it has asked the server for more since
   */
  record ClientState(
      int round, Phase phase, LocalState localState, LocalState draftState, int polls)
      implements ServerRoundState {
    ClientState inPhase(Phase next, LocalState newMemory) {
      return new ClientState(round, next, newMemory, newMemory, polls);
    }

    ClientState withDraft(LocalState newDraft) {
      return new ClientState(round, phase, localState, newDraft, polls);
    }

    ClientState withPollSent() {
      return new ClientState(round, phase, localState, draftState, polls + 1);
    }
  }

  /** What one client handed over. */
  record Reply(PeerId from, ModelUpdate update) {}

  /**
   * What the server remembers.
   *
   * @param awaited the participants that have not answered yet; none while replies are averaged
   * @param mixingShares in which shares replies are mixed for each client, where each has a model
   * @param averaged the new models so far, one by one, while replies are averaged
   * @param requestTick when it asked them
   * @param latencies how long the last answers took
   */
  record ServerState(
      int round,
      List<Weights> models,
      List<PeerId> awaited,
      List<Reply> replies,
      Optional<ServerRoundAlgorithm.MixingShares> mixingShares,
      List<Weights> averaged,
      long requestTick,
      List<Long> latencies)
      implements ServerRoundState {
    ServerState with(List<PeerId> stillAwaited, List<Reply> newReplies) {
      return new ServerState(
          round, models, stillAwaited, newReplies, mixingShares, averaged, requestTick, latencies);
    }

    ServerState withAveraged(List<Weights> soFar) {
      return new ServerState(
          round, models, List.of(), replies, mixingShares, soFar, requestTick, latencies);
    }

    ServerState withMixingShares(Optional<ServerRoundAlgorithm.MixingShares> shares) {
      return new ServerState(
          round, models, List.of(), replies, shares, List.of(), requestTick, latencies);
    }

    ServerState withLatency(long ticks) {
      return new ServerState(
          round,
          models,
          awaited,
          replies,
          mixingShares,
          averaged,
          requestTick,
          TimeoutPolicy.appendLatency(latencies, ticks));
    }
  }
}
