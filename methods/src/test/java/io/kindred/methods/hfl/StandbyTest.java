package io.kindred.methods.hfl;

import static io.kindred.methods.contract.Driver.SERVER;
import static io.kindred.methods.contract.Driver.counted;
import static io.kindred.methods.contract.Driver.model;
import static io.kindred.methods.hfl.HflTest.sent;
import static io.kindred.methods.hfl.HflTest.usual;
import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Ticks;
import io.kindred.core.peer.Timer;
import io.kindred.methods.contract.Driver;
import io.kindred.methods.hfl.HflMessage.AskForModel;
import io.kindred.methods.hfl.HflMessage.Begin;
import io.kindred.methods.hfl.HflMessage.FinalModel;
import io.kindred.methods.hfl.HflMessage.Lease;
import io.kindred.methods.hfl.HflMessage.NewerTerm;
import io.kindred.methods.hfl.HflMessage.Vote;
import io.kindred.methods.hfl.HflMessage.VoteRequest;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** One of ten clients as a standby; a lease has eight seconds. */
class StandbyTest {
  private static final Hfl METHOD =
      HflBuilder.from(usual()).standby(new StandbySettings(8)).build();

  private static final RoundAttempt SECOND = new RoundAttempt(0, 2, 50);

  private static Driver client(long self) {
    Driver client = Driver.peer(METHOD, self);
    client.started(1, 2);
    return client;
  }

  private static RoundAttempt term(long term) {
    return new RoundAttempt(term, 0, -1);
  }

  private static List<Effect> received(Driver driver, double seconds, long from, Object message) {
    return driver.feed(
        new Event.Received(Ticks.ofSeconds(seconds), new PeerId(from), (HflMessage) message));
  }

  /** Fires the timer that watches the lease. */
  private static List<Effect> watched(Driver driver, double seconds) {
    long number = ((HflState.ParticipantState) driver.state()).standby().timerNumber();
    return driver.feed(
        new Event.TimerFired(Ticks.ofSeconds(seconds), new Timer(StandbyStep.SILENCE, number)));
  }

  private static List<String> warnings(List<Effect> effects) {
    return effects.stream()
        .filter(each -> each instanceof Effect.Observe(Observation.Warned _))
        .map(each -> ((Observation.Warned) ((Effect.Observe) each).observation()).name())
        .toList();
  }

  /** A client that has begun round 2 and then does not hear the server until it stands. */
  private static List<Effect> standing(Driver client) {
    received(client, 1, SERVER.number(), new Begin(SECOND, model(4)));
    assertThat(warnings(watched(client, 9.1))).containsExactly("coordinator-silent");
    return watched(client, 10.2);
  }

  @Test
  void everyTermBelongsToOneClient() {
    Succession succession = new Succession(3, SERVER);
    assertThat(succession.coordinator(0)).isEqualTo(SERVER);
    for (long after = 0; after < 7; after++) {
      for (long number = 0; number < 3; number++) {
        long next = succession.nextTerm(new PeerId(number), after);
        assertThat(next).isBetween(after + 1, after + 3);
        assertThat(succession.coordinator(next)).isEqualTo(new PeerId(number));
      }
    }
    assertThat(succession.rank(new PeerId(0), 0)).isZero();
    assertThat(succession.rank(new PeerId(2), 2)).isZero();
    assertThat(succession.rank(new PeerId(1), 2)).isEqualTo(2);
  }

  @Test
  void silenceIsReportedOnceAndAMessageOfTheCoordinatorEndsIt() {
    Driver client = client(3);
    received(client, 1, SERVER.number(), new Begin(SECOND, model(4)));
    assertThat(warnings(watched(client, 8))).isEmpty();
    assertThat(warnings(watched(client, 9.1))).containsExactly("coordinator-silent");
    assertThat(warnings(watched(client, 9.2))).isEmpty();
    received(client, 9.3, SERVER.number(), new Lease(SECOND));
    assertThat(sent(watched(client, 12))).isEmpty();
    assertThat(warnings(watched(client, 17.4))).containsExactly("coordinator-silent");
  }

  @Test
  void withMoreThanHalfOfTheVotesAClientContinuesWithTheRoundThatItKnows() {
    Driver client = client(0);
    List<Object> asked = sent(standing(client));
    assertThat(asked).hasSize(9).containsOnly(new VoteRequest(term(1), SECOND));

    for (long voter = 1; voter <= 5; voter++) {
      assertThat(
              sent(
                  received(client, 10.3, voter, new Vote(term(1), true, SECOND, Optional.empty()))))
          .isEmpty();
    }
    List<Effect> won =
        client.feed(new Event.TimerFired(Ticks.ofSeconds(12.3), new Timer(StandbyStep.VOTES, 1)));

    assertThat(warnings(won)).containsExactly("coordinator-replaced");
    assertThat(sent(won))
        .hasSize(9)
        .containsOnly(new Begin(new RoundAttempt(1, 2, Ticks.ofSeconds(12.3)), model(4)));
  }

  @Test
  void withHalfOfTheVotesAClientDoesNotCoordinate() {
    Driver client = client(0);
    standing(client);
    for (long voter = 1; voter <= 4; voter++) {
      received(client, 10.3, voter, new Vote(term(1), true, SECOND, Optional.empty()));
    }
    for (long voter = 5; voter <= 9; voter++) {
      received(client, 10.3, voter, new Vote(term(1), false, SECOND, Optional.empty()));
    }
    assertThat(HflTest.client(client).roundAttempt()).isEqualTo(SECOND);
    assertThat(
            client.feed(
                new Event.TimerFired(Ticks.ofSeconds(12.3), new Timer(StandbyStep.VOTES, 1))))
        .isEmpty();
    // It stands again a lease later, for its next term.
    assertThat(sent(watched(client, 18.3))).containsOnly(new VoteRequest(term(11), SECOND));
  }

  @Test
  void aCandidateThatMissedARoundTakesItFromAVoter() {
    Driver client = client(0);
    standing(client);
    RoundAttempt third = new RoundAttempt(0, 3, 90);
    for (long voter = 1; voter <= 9; voter++) {
      Vote vote =
          voter == 4
              ? new Vote(term(1), true, third, Optional.of(model(7)))
              : new Vote(term(1), true, SECOND, Optional.empty());
      List<Object> sent = sent(received(client, 11, voter, vote));
      if (voter == 9) {
        // All have answered, so the round begins before the time for votes is over.
        assertThat(sent)
            .containsOnly(new Begin(new RoundAttempt(1, 3, Ticks.ofSeconds(11)), model(7)));
      }
    }
  }

  @Test
  void aClientVotesOnceInATermAndOnlyWithoutACoordinator() {
    Driver client = client(5);
    RoundAttempt first = new RoundAttempt(0, 1, 10);
    received(client, 1, SERVER.number(), new Begin(SECOND, model(4)));
    assertThat(sent(received(client, 8, 0, new VoteRequest(term(1), first))))
        .containsExactly(new Vote(term(1), false, SECOND, Optional.of(model(4))));
    assertThat(sent(received(client, 9.5, 1, new VoteRequest(term(2), SECOND))))
        .containsExactly(new Vote(term(2), true, SECOND, Optional.empty()));
    assertThat(sent(received(client, 9.6, 0, new VoteRequest(term(1), SECOND))))
        .containsExactly(new Vote(term(1), false, SECOND, Optional.empty()));
    // Only the client that a term belongs to may stand for it.
    assertThat(received(client, 9.7, 2, new VoteRequest(term(4), SECOND)))
        .containsExactly(counted("unexpected-message"));
  }

  @Test
  void aMessageOfAnOlderTermIsAnsweredWithTheNewerOne() {
    Driver client = client(5);
    received(client, 1, 2, new Begin(new RoundAttempt(3, 2, 40), model(4)));

    assertThat(
            received(client, 2, SERVER.number(), new Begin(new RoundAttempt(0, 9, 999), model(8))))
        .containsExactly(counted("older-term"), new Effect.Send(SERVER, new NewerTerm(term(3))));
    assertThat(HflTest.client(client).global()).contains(model(4));
  }

  @Test
  void aServerThatLearnsOfANewerTermStopsAndFollows() {
    Driver server = Driver.server(METHOD, 0, 1);
    server.started();

    List<Effect> deposed = received(server, 2, 0, new NewerTerm(term(1)));

    assertThat(warnings(deposed)).containsExactly("coordinator-deposed");
    assertThat(sent(deposed)).containsExactly(new AskForModel());
    RoundAttempt last = new RoundAttempt(1, 3, 99);
    assertThat(received(server, 3, 0, new FinalModel(last, model(6))))
        .containsExactly(new Effect.Observe(new Observation.RoundCompleted(Driver.ROUNDS)));
    assertThat(received(server, 3, 1, new FinalModel(last, model(6))))
        .containsExactly(counted("unexpected-message"));
  }

  @Test
  void aServerThatWasReplacedAsksUntilItHasTheFinalModel() {
    Driver server = Driver.server(METHOD, 0, 1);
    server.started();
    received(server, 2, 0, new NewerTerm(term(1)));
    Event asksAgain = new Event.TimerFired(Ticks.ofSeconds(5), new Timer(ClientStep.ASK, 0));

    assertThat(sent(server.feed(asksAgain))).containsExactly(new AskForModel());
    assertThat(server.feed(asksAgain)).hasSize(2);
    received(server, 3, 0, new FinalModel(new RoundAttempt(1, 3, 99), model(6)));
    assertThat(server.feed(asksAgain)).isEmpty();
  }

  @Test
  void aClientThatHasFinishedGivesACandidateTheFinalModel() {
    Driver client = client(5);
    RoundAttempt last = new RoundAttempt(0, 3, 70);
    received(client, 1, SERVER.number(), new FinalModel(last, model(6)));
    assertThat(sent(received(client, 20, 0, new VoteRequest(term(1), SECOND))))
        .containsExactly(new FinalModel(last, model(6)));

    Driver candidate = client(0);
    standing(candidate);
    assertThat(received(candidate, 11, 5, new FinalModel(last, model(6))))
        .contains(Driver.deployed(3, Observation.Stage.MIXED, model(6), Observation.Audience.SELF));
  }

  @Test
  void withoutStandbyNoClientFollowsAnotherCoordinator() {
    Driver client = Driver.peer(usual(), 5);
    client.started(1, 2);
    assertThat(client.received(0, new Begin(new RoundAttempt(1, 1, 5), model(3))))
        .containsExactly(counted("unexpected-message"));
    assertThat(client.received(0, new NewerTerm(term(1))))
        .containsExactly(counted("unexpected-message"));
  }
}
