package io.kindred.simulator.invariants;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerState;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.core.peer.Ticks;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.environment.fault.FaultEvent;
import io.kindred.methods.hfl.HflMessage;
import io.kindred.methods.hfl.RoundAttempt;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class CoordinatorInvariantsTest {
  private static final PeerId PEER = new PeerId(1);
  private static final Event EVENT = new Event.LeaveRequested(1);
  private static final Weights MODEL =
      Weights.copyOf(Layout.builder().add("all", 1).build(), new float[] {1});

  private static PeerStep sends(Message... messages) {
    return new PeerStep(
        new PeerState(List.of()),
        Arrays.stream(messages)
            .map(each -> new Tagged<Effect>(Component.METHOD, new Effect.Send(PEER, each)))
            .toList());
  }

  private static HflMessage.Lease lease(long term) {
    return new HflMessage.Lease(new RoundAttempt(term, 1, 1));
  }

  /** Four clients and a lease of a second: after six seconds somebody has to coordinate. */
  private static CoordinatorIsReplaced replacement() {
    CoordinatorIsReplaced checker = new CoordinatorIsReplaced(4, 1);
    checker.stepped(Ticks.ofSeconds(10), PEER, EVENT, sends(lease(0)));
    return checker;
  }

  @Test
  void silenceOfAllCoordinatorsIsFoundWhileAQuorumIsUp() {
    CoordinatorIsReplaced checker = replacement();
    checker.faultOccurred(new FaultEvent.Crash(Ticks.ofSeconds(10), 4, false));
    checker.faultOccurred(new FaultEvent.Crash(Ticks.ofSeconds(10), 0, false));
    checker.stepped(Ticks.ofSeconds(16), PEER, EVENT, sends());
    assertThatThrownBy(() -> checker.stepped(Ticks.ofSeconds(16.1), PEER, EVENT, sends()))
        .isInstanceOf(Violation.class)
        .hasMessageContaining("no coordinator for 6.1 s");
  }

  @Test
  void silenceIsNoFaultWithoutAQuorumOrAfterTheLastRound() {
    CoordinatorIsReplaced divided = replacement();
    divided.faultOccurred(new FaultEvent.Partition(Ticks.ofSeconds(11), Ints.of(0, 0, 1, 1)));
    CoordinatorIsReplaced finished = replacement();
    finished.stepped(
        Ticks.ofSeconds(11),
        PEER,
        EVENT,
        sends(new HflMessage.FinalModel(new RoundAttempt(0, 1, 1), MODEL)));
    assertThatCode(
            () -> {
              divided.stepped(Ticks.ofSeconds(30), PEER, EVENT, sends());
              finished.stepped(Ticks.ofSeconds(30), PEER, EVENT, sends());
            })
        .doesNotThrowAnyException();
  }

  @Test
  void workForAnOlderTermIsFound() {
    OldTermsAreFenced checker = new OldTermsAreFenced();
    checker.stepped(1, PEER, EVENT, sends(lease(2)));
    checker.stepped(2, PEER, new Event.Received(2, new PeerId(0), lease(3)), sends());
    assertThatThrownBy(() -> checker.stepped(3, PEER, EVENT, sends(lease(2))))
        .isInstanceOf(Violation.class);
    // The knowledge may be lost in a crash.
    checker.stepped(4, PEER, new Event.Restored(4, List.of()), sends());
    assertThatCode(() -> checker.stepped(5, PEER, EVENT, sends(lease(2))))
        .doesNotThrowAnyException();
  }

  @Test
  void aRoundThatANewCoordinatorRepeatsIsNotWasted() {
    LearningGoesOn checker = new LearningGoesOn(3);
    assertThatCode(
            () -> {
              for (int term = 0; term < 3 * LearningGoesOn.ROUNDS; term++) {
                checker.stepped(
                    term,
                    PEER,
                    EVENT,
                    sends(new HflMessage.Begin(new RoundAttempt(term, 4, term), MODEL)));
              }
            })
        .doesNotThrowAnyException();
  }
}
