package io.kindred.methods.rounds;

import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import io.kindred.core.weights.Weights;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

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
   * @param nextModels models of a later round, which wait until the client has finished the update
   *     that it is working on
   */
  @Buildable
  record ClientState(
      int round,
      Phase phase,
      LocalState localState,
      LocalState draftState,
      int polls,
      Optional<ServerMessage.ServerModels> nextModels)
      implements ServerRoundState {
    ClientState inPhase(Phase next, LocalState newState) {
      return ClientStateBuilder.from(this)
          .phase(next)
          .localState(newState)
          .draftState(newState)
          .build();
    }
  }

  /** The update of one client, made with the models of a round. */
  record Reply(PeerId from, int round, ModelUpdate update) {}

  /**
   * State of the server.
   *
   * @param awaited the participants that have not answered yet; none while replies are averaged
   * @param mixingShares the shares in which replies are mixed for each client, if each client has
   *     its own model
   * @param averaged the new models so far, one by one, while replies are averaged
   * @param requestTick when the server sent the models of the round
   * @param latencies how long the last answers took
   * @param lastAveragedRounds for each client the newest round whose update was averaged, as long
   *     as a late update could still count
   */
  @Buildable
  record ServerState(
      int round,
      List<Weights> models,
      List<PeerId> awaited,
      List<Reply> replies,
      Optional<ServerRoundAlgorithm.MixingShares> mixingShares,
      List<Weights> averaged,
      long requestTick,
      List<Long> latencies,
      SortedMap<PeerId, Integer> lastAveragedRounds)
      implements ServerRoundState {
    /** The replies are averaged, one model after the other. */
    ServerState averaging(List<Weights> soFar) {
      return ServerStateBuilder.from(this).awaited(List.of()).averaged(soFar).build();
    }

    /** The start of a round, with the models that it begins with and the clients that it asks. */
    ServerState atRound(int next, List<Weights> newModels, List<PeerId> asked, long tick) {
      return ServerStateBuilder.from(this)
          .round(next)
          .models(newModels)
          .awaited(asked)
          .replies(List.of())
          .mixingShares(Optional.empty())
          .averaged(List.of())
          .requestTick(tick)
          .build();
    }

    /** Remembers which updates were averaged, so that none of them counts again. */
    ServerState rememberAveraged(int staleness) {
      SortedMap<PeerId, Integer> rounds = new TreeMap<>(lastAveragedRounds);
      replies.forEach(reply -> rounds.put(reply.from(), reply.round()));
      rounds.values().removeIf(each -> each <= round - staleness);
      return ServerStateBuilder.from(this).lastAveragedRounds(rounds).build();
    }
  }
}
