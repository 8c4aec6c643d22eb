package io.kindred.methods.hfl;

import static io.kindred.methods.contract.Driver.SERVER;
import static io.kindred.methods.contract.Driver.counted;
import static io.kindred.methods.contract.Driver.model;
import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.Driver;
import io.kindred.methods.hfl.FormClusters.Member;
import io.kindred.methods.hfl.HflMessage.Assignment;
import io.kindred.methods.hfl.HflMessage.Begin;
import io.kindred.methods.hfl.HflMessage.ClusterModel;
import io.kindred.methods.hfl.HflMessage.Outcome;
import io.kindred.methods.hfl.HflMessage.TakeOver;
import io.kindred.methods.hfl.HflMessage.Update;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A cluster of head 0, deputy 1 and member 2, which runs two steps. */
class DeputyTest {
  private static final RoundAttempt FIRST = new RoundAttempt(0, 1, 0);
  private static final PeerId HEAD = new PeerId(0);
  private static final PeerId DEPUTY = new PeerId(1);
  private static final PeerId MEMBER = new PeerId(2);
  private static final List<Member> BOTH =
      List.of(new Member(DEPUTY, 10, 1, 0), new Member(MEMBER, 30, 1, 0));

  private static <T> T only(Class<T> type, List<Effect> effects) {
    List<T> found = effects.stream().filter(type::isInstance).map(type::cast).toList();
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  private static Effect send(PeerId to, HflMessage message) {
    return new Effect.Send(to, message);
  }

  private static Update update(int step, Weights weights, int attempt) {
    return new Update(FIRST, step, weights, -1, attempt);
  }

  /** A client in its first training for the cluster; returns the training's ticket. */
  private static long assigned(Driver client, List<Member> members) {
    client.started(0, 1, 2);
    Effect.Compute probe =
        only(Effect.Compute.class, client.received(SERVER.number(), new Begin(FIRST, model(0))));
    client.trained(probe.ticket(), model(9));
    Assignment assignment = new Assignment(FIRST, 0, HEAD, Optional.of(DEPUTY), 2, members);
    return only(Effect.Compute.class, client.received(SERVER.number(), assignment)).ticket();
  }

  /** The deputy after its own training of step 0, waiting for the head. */
  private static Driver deputy() {
    Driver deputy = Driver.peer(HflTest.usual(), DEPUTY.number());
    long training = assigned(deputy, BOTH);
    assertThat(deputy.trained(training, model(5))).contains(send(HEAD, update(0, model(5), 0)));
    return deputy;
  }

  private static void leadsTheClusterToItsEnd(Driver deputy, List<Effect> takenOver) {
    TakeOver announced = new TakeOver(FIRST, 0, 0);
    assertThat(takenOver)
        .contains(counted("head-replaced"), send(MEMBER, announced), send(HEAD, announced));
    Effect.Compute mixing =
        only(Effect.Compute.class, deputy.received(MEMBER.number(), update(0, model(6), 0)));
    // By samples: ten against thirty; the head has crashed with its model.
    assertThat(((Ticket.Mix) mixing.work()).mixture().parts())
        .containsExactly(new MixturePart(model(5), 0.25), new MixturePart(model(6), 0.75));
    List<Effect> next = deputy.mixed(1, model(7));
    assertThat(next)
        .anyMatch(
            each ->
                each instanceof Effect.Send(PeerId to, ClusterModel sent)
                    && to.equals(MEMBER)
                    && sent.step() == 1
                    && sent.weights().equals(model(7)));
    deputy.trained(only(Effect.Compute.class, next).ticket(), model(8));
    deputy.received(MEMBER.number(), update(1, model(9), 0));
    assertThat(deputy.mixed(1, model(3)))
        .containsExactly(
            send(SERVER, new Outcome(FIRST, 0, model(3), List.of(DEPUTY, MEMBER), List.of(), 0)));
  }

  @Test
  void deputyThatCannotReachTheHeadTwiceTakesOver() {
    Driver deputy = deputy();
    assertThat(deputy.sendFailed(HEAD.number(), update(0, model(5), 0)))
        .contains(send(HEAD, update(0, model(5), 1)));

    leadsTheClusterToItsEnd(deputy, deputy.sendFailed(HEAD.number(), update(0, model(5), 1)));
  }

  @Test
  void deputyThatHearsFromAMemberWithoutHeadTakesOver() {
    Driver deputy = deputy();

    leadsTheClusterToItsEnd(deputy, deputy.received(MEMBER.number(), update(0, model(6), 5)));
  }

  @Test
  void deputyThatWaitsTooLongTakesOverAndAnEarlierTimerIsIgnored() {
    Driver deputy = deputy();
    long watched = HflTest.client(deputy).membership().orElseThrow().watchNumber();
    assertThat(deputy.timerFired("take-over", watched + 1)).isEmpty();

    leadsTheClusterToItsEnd(deputy, deputy.timerFired("take-over", watched));
  }

  @Test
  void deputyOfAFinishedClusterDoesNotTakeOver() {
    Driver deputy = deputy();
    long watched = HflTest.client(deputy).membership().orElseThrow().watchNumber();

    assertThat(deputy.received(HEAD.number(), new HflMessage.ClusterDone(FIRST))).isEmpty();

    assertThat(deputy.timerFired("take-over", watched)).isEmpty();
  }

  @Test
  void memberThatCannotReachTheHeadTurnsToTheDeputy() {
    Driver member = Driver.peer(HflTest.usual(), MEMBER.number());
    member.trained(assigned(member, List.of()), model(6));
    member.sendFailed(HEAD.number(), update(0, model(6), 0));
    assertThat(member.sendFailed(HEAD.number(), update(0, model(6), 1)))
        .contains(send(DEPUTY, update(0, model(6), ClientStep.RETRIES)));

    assertThat(member.received(DEPUTY.number(), new TakeOver(FIRST, 0, 0)))
        .contains(send(DEPUTY, update(0, model(6), 0)));

    assertThat(member.received(HEAD.number(), new ClusterModel(FIRST, 1, model(7), -1)))
        .containsExactly(counted("unexpected-message"));
    only(
        Effect.Compute.class,
        member.received(DEPUTY.number(), new ClusterModel(FIRST, 1, model(7), -1)));
  }

  @Test
  void onlyTheDeputyOfTheAssignmentTakesOver() {
    Driver member = Driver.peer(HflTest.usual(), MEMBER.number());
    member.trained(assigned(member, List.of()), model(6));

    assertThat(member.received(3, new TakeOver(FIRST, 0, 0)))
        .containsExactly(counted("unexpected-message"));
  }

  @Test
  void headThatWasOnlyUnreachableLeavesTheCluster() {
    Driver head = Driver.peer(HflTest.usual(), HEAD.number());
    head.trained(assigned(head, BOTH), model(4));

    assertThat(head.received(DEPUTY.number(), new TakeOver(FIRST, 0, 0))).isEmpty();

    assertThat(head.received(MEMBER.number(), update(0, model(6), 0)))
        .containsExactly(counted("unexpected-message"));
  }
}
