package io.kindred.methods.rounds;

import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.TimeoutPolicy;
import java.util.List;
import java.util.Optional;

/** State of the server or of a client. */
public sealed interface ServerRoundState {
  /** What a client is doing. */
  enum Phase {
    IDLE,
    COMPLETING_ROUND,
    WORKING,
    FINISHING
  }

  /**
   * State of a client.
   *
   * @param round the last round that the server sent models of; the final models count as one more
   *     round
   * @param localState state of the algorithm at the beginning of the phase
   * @param draftState state of the algorithm within the phase
   * @param polls how often the client has polled the server since
   */
  record ClientState(
      int round, Phase phase, LocalState localState, LocalState draftState, int polls)
      implements ServerRoundState {
    ClientState inPhase(Phase next, LocalState newState) {
      return new ClientState(round, next, newState, newState, polls);
    }

    ClientState withDraft(LocalState newDraft) {
      return new ClientState(round, phase, localState, newDraft, polls);
    }

    ClientState withPollSent() {
      return new ClientState(round, phase, localState, draftState, polls + 1);
    }
  }

  /** The update of one client. */
  record Reply(PeerId from, ModelUpdate update) {}

  /**
   * State of the server.
   *
   * @param awaited the participants that have not answered yet; none while replies are averaged
   * @param mixingShares the shares in which replies are mixed for each client, if each client has
   *     its own model
   * @param averaged the new models so far, one by one, while replies are averaged
   * @param requestTick when the server sent the models of the round
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
