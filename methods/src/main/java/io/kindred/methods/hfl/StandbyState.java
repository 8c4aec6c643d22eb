package io.kindred.methods.hfl;

import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import io.kindred.core.weights.Weights;
import java.util.List;
import java.util.Optional;

/**
 * What a participant knows of the coordinator's lease.
 *
 * @param term the newest term that it knows
 * @param votedTerm the newest term that it has voted in
 * @param heardTick when it last received a message of the coordinator
 * @param standTick when it stands for coordinator, unless it hears of one before
 * @param silent whether it has reported that the coordinator is silent
 * @param timerNumber the number of the timer that watches the lease
 * @param relieved whether a server that was replaced has received the final model
 */
@Buildable
record StandbyState(
    long term,
    long votedTerm,
    long heardTick,
    long standTick,
    boolean silent,
    long timerNumber,
    boolean relieved,
    Optional<Candidacy> candidacy) {
  static final StandbyState INITIAL =
      new StandbyState(0, 0, 0, 0, false, 0, false, Optional.empty());

  /**
   * A client that stands for coordinator.
   *
   * @param unanswered clients that have not answered yet
   * @param votes for this client, its own included
   * @param newest the newest round attempt that any of them took part in
   * @param model the global model that this attempt began with; none before the first round
   */
  record Candidacy(
      long term,
      List<PeerId> unanswered,
      int votes,
      RoundAttempt newest,
      Optional<Weights> model) {}
}
