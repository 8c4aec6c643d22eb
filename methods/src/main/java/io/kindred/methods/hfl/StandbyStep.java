package io.kindred.methods.hfl;

import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Ticks;
import io.kindred.core.weights.Weights;
import io.kindred.methods.hfl.HflState.ClientState;
import io.kindred.methods.hfl.StandbyState.Candidacy;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A client's step as a standby for the coordinator. A client whose lease has run out says so, and
 * in the order of succession stands for the next term. Clients vote once in a term, and only while
 * they do not hear the coordinator, so that a client which has lost its own connection cannot
 * depose it. The winner needs more than half of all clients, so that one side of a divided network
 * at most has a new coordinator. It takes over the newest round of those who answer: every client
 * has the model that its last round began with.
 */
record StandbyStep(ParticipantStep participant) {
  static final String SILENCE = "silence";
  static final String VOTES = "votes";

  private StandbySettings settings() {
    return participant.machine().method().standby();
  }

  private StandbyState state() {
    return participant.standby();
  }

  private PeerId self() {
    return participant.machine().context().self();
  }

  private Succession succession() {
    return participant.machine().succession();
  }

  /** A participant that starts or returns gives the coordinator a whole lease. */
  void startWatching() {
    participant.setStandby(
        StandbyStateBuilder.from(state()).silent(false).candidacy(Optional.empty()).build());
    heard();
    if (settings().isOn() && participant.client().isPresent()) {
      watch(settings().leaseTicks());
    }
  }

  void heard() {
    long lease = settings().leaseTicks();
    participant.setStandby(
        StandbyStateBuilder.from(state())
            .heardTick(participant.tick())
            .standTick(participant.tick() + lease + delayTicks())
            .silent(false)
            .candidacy(Optional.empty())
            .build());
  }

  private long delayTicks() {
    return settings().delayTicks(succession().rank(self(), state().term()));
  }

  /** The number of the timer makes older timers of the same name void. */
  private void watch(long ticks) {
    long number = state().timerNumber() + 1;
    participant.setStandby(StandbyStateBuilder.from(state()).timerNumber(number).build());
    participant.setTimer(SILENCE, number, ticks);
  }

  void silenceTimerFired(long number) {
    if (number != state().timerNumber() || participant.isFinished()) {
      return;
    }
    if (participant.isCoordinator()) {
      watch(settings().leaseTicks());
      return;
    }
    long silentTicks = participant.tick() - state().heardTick();
    if (silentTicks < settings().leaseTicks()) {
      watch(settings().leaseTicks() - silentTicks);
      return;
    }
    if (!state().silent()) {
      participant.setStandby(StandbyStateBuilder.from(state()).silent(true).build());
      participant.warn(
          "coordinator-silent",
          String.format(
              Locale.ROOT,
              "no message from the coordinator, %s, for %.1f s",
              participant.coordinatorId(),
              Ticks.toSeconds(silentTicks)));
    }
    if (participant.tick() >= state().standTick()) {
      stand();
      watch(settings().leaseTicks());
    } else {
      watch(state().standTick() - participant.tick());
    }
  }

  private void stand() {
    long term = succession().nextTerm(self(), Math.max(state().term(), state().votedTerm()));
    ClientState client = participant.client().orElseThrow();
    List<PeerId> others =
        participant.machine().coordinatorContext().peers().stream()
            .filter(each -> !each.equals(self()))
            .toList();
    participant.setStandby(
        StandbyStateBuilder.from(state())
            .votedTerm(term)
            .standTick(participant.tick() + settings().leaseTicks())
            .candidacy(
                Optional.of(new Candidacy(term, others, 1, client.roundAttempt(), client.global())))
            .build());
    HflMessage.VoteRequest request =
        new HflMessage.VoteRequest(new RoundAttempt(term, 0, -1), client.roundAttempt());
    others.forEach(each -> participant.send(each, request));
    participant.setTimer(VOTES, term, settings().slotTicks());
    decideIfAnswered();
  }

  boolean voteRequested(PeerId from, HflMessage.VoteRequest request) {
    long term = request.roundAttempt().term();
    if (!settings().isOn()
        || participant.client().isEmpty()
        || !from.equals(succession().coordinator(term))) {
      return false;
    }
    if (participant.isFinished()) {
      participant.sendFinalModel(from);
      return true;
    }
    boolean granted =
        term > Math.max(state().term(), state().votedTerm())
            && !participant.isCoordinator()
            && participant.tick() - state().heardTick() >= settings().leaseTicks();
    if (granted) {
      participant.setStandby(
          StandbyStateBuilder.from(state())
              .votedTerm(term)
              .standTick(
                  Math.max(
                      state().standTick(),
                      participant.tick() + settings().leaseTicks() / 2 + delayTicks()))
              .candidacy(Optional.empty())
              .build());
    }
    ClientState client = participant.client().orElseThrow();
    Optional<Weights> newer =
        client.roundAttempt().isNewerThan(request.newest()) ? client.global() : Optional.empty();
    participant.send(
        from, new HflMessage.Vote(request.roundAttempt(), granted, client.roundAttempt(), newer));
    return true;
  }

  boolean voteReceived(PeerId from, HflMessage.Vote vote) {
    Optional<Candidacy> now = candidacy(vote.roundAttempt().term());
    if (now.isEmpty() || !now.get().unanswered().contains(from)) {
      return false;
    }
    boolean newer =
        vote.model().filter(participant::isModel).isPresent()
            && vote.newest().isNewerThan(now.get().newest())
            && vote.newest().round() <= participant.machine().context().rounds();
    answered(
        from,
        new Candidacy(
            now.get().term(),
            now.get().unanswered(),
            now.get().votes() + (vote.granted() ? 1 : 0),
            newer ? vote.newest() : now.get().newest(),
            newer ? vote.model() : now.get().model()));
    return true;
  }

  void voterUnreachable(PeerId voter, long term) {
    candidacy(term).ifPresent(now -> answered(voter, now));
  }

  private Optional<Candidacy> candidacy(long term) {
    return state().candidacy().filter(each -> each.term() == term);
  }

  private void answered(PeerId voter, Candidacy now) {
    Candidacy next =
        new Candidacy(
            now.term(),
            now.unanswered().stream().filter(each -> !each.equals(voter)).toList(),
            now.votes(),
            now.newest(),
            now.model());
    participant.setStandby(StandbyStateBuilder.from(state()).candidacy(Optional.of(next)).build());
    decideIfAnswered();
  }

  private void decideIfAnswered() {
    if (state().candidacy().filter(each -> each.unanswered().isEmpty()).isPresent()) {
      decide(state().candidacy().orElseThrow());
    }
  }

  void votesTimerFired(long term) {
    candidacy(term).ifPresent(this::decide);
  }

  private void decide(Candidacy now) {
    if (2 * now.votes() > succession().clients()) {
      participant.coordinate(now);
    } else {
      participant.setStandby(StandbyStateBuilder.from(state()).candidacy(Optional.empty()).build());
      participant.count("no-majority");
    }
  }
}
