package io.kindred.methods.hfl;

import static io.kindred.methods.contract.Driver.SERVER;
import static io.kindred.methods.contract.Driver.counted;
import static io.kindred.methods.contract.Driver.model;
import static io.kindred.methods.hfl.HflTest.only;
import static io.kindred.methods.hfl.HflTest.sent;
import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.Driver;
import io.kindred.methods.hfl.FormClusters.ClusterPlan;
import io.kindred.methods.hfl.FormClusters.Member;
import io.kindred.methods.hfl.HflMessage.Assignment;
import io.kindred.methods.hfl.HflMessage.Begin;
import io.kindred.methods.hfl.HflMessage.ClusterAverage;
import io.kindred.methods.hfl.HflMessage.ClusterModel;
import io.kindred.methods.hfl.HflMessage.Outcome;
import io.kindred.methods.hfl.HflMessage.RegionModel;
import io.kindred.methods.hfl.HflMessage.RegionOutcome;
import io.kindred.methods.hfl.HflMessage.RegionUpdate;
import io.kindred.methods.hfl.HflMessage.Share;
import io.kindred.methods.hfl.HflMessage.SubmitReport;
import io.kindred.methods.hfl.HflMessage.Update;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A region of two clusters with one member and one step a cycle: cluster 0 of head 0, which leads
 * the region, and member 3; cluster 1 of head 1 with the deputy 2.
 */
class RegionTest {
  private static final RoundAttempt FIRST = new RoundAttempt(0, 1, 0);
  private static final PeerId LEADER = new PeerId(0);
  private static final PeerId OTHER = new PeerId(1);
  private static final PeerId DEPUTY = new PeerId(2);
  private static final PeerId MEMBER = new PeerId(3);
  private static final double INFINITE = Double.POSITIVE_INFINITY;
  private static final Region REGION =
      new Region(
          LEADER,
          2,
          4,
          List.of(
              new Region.Part(0, LEADER, Optional.empty(), 40),
              new Region.Part(1, OTHER, Optional.of(DEPUTY), 60)));

  private static List<Effect> toServer(Driver coordinator, long client) {
    return coordinator.received(client, new SubmitReport(FIRST, HflTest.report(client, 10, 5), 0));
  }

  /** A head of two members, itself included, that has averaged the first step of its cluster. */
  private static List<Effect> afterAStep(Driver head, int cluster, PeerId self, PeerId member) {
    head.started(0, 1, 2, 3);
    Effect.Compute probe =
        only(Effect.Compute.class, head.received(SERVER.number(), new Begin(FIRST, model(0))));
    head.trained(probe.ticket(), model(9));
    List<Member> members = List.of(new Member(self, 10, 1, 0), new Member(member, 30, 1, 0));
    Optional<PeerId> deputy = cluster == 1 ? Optional.of(DEPUTY) : Optional.empty();
    Effect.Compute training =
        only(
            Effect.Compute.class,
            head.received(
                SERVER.number(),
                new Assignment(FIRST, cluster, self, deputy, 2, members, Optional.of(REGION))));
    head.trained(training.ticket(), model(1));
    head.received(member.number(), new Update(FIRST, 0, model(2), -1, 0));
    return head.mixed(1, model(3));
  }

  private static RegionUpdate update(int cycle, Weights weights, double share) {
    return new RegionUpdate(
        FIRST, cycle, new ClusterAverage(1, weights, List.of(OTHER), List.of(), share), 0);
  }

  private static Driver leader() {
    Driver leader = Driver.peer(HflTest.usual(), 0);
    assertThat(sent(afterAStep(leader, 0, LEADER, MEMBER))).isEmpty();
    return leader;
  }

  private static Driver otherHead() {
    Driver head = Driver.peer(HflTest.usual(), 1);
    assertThat(afterAStep(head, 1, OTHER, DEPUTY))
        .contains(
            new Effect.Send(
                LEADER,
                new RegionUpdate(
                    FIRST,
                    1,
                    new ClusterAverage(1, model(3), Driver.ids(1, 2), List.of(), 40),
                    0)));
    return head;
  }

  private static RegionState state(Driver head) {
    return HflTest.client(head).membership().orElseThrow().headState().orElseThrow().regionState();
  }

  private static List<MixturePart> mixed(List<Effect> effects) {
    return ((Ticket.Mix) only(Effect.Compute.class, effects).work()).mixture().parts();
  }

  @Test
  void theLeaderAveragesTheClustersInEveryCycleAndReportsTheLastAverage() {
    Driver leader = leader();

    // 40 samples of its own cluster against 60 of the other one.
    assertThat(mixed(leader.received(1, update(1, model(7), 60))))
        .containsExactly(new MixturePart(model(3), 0.4), new MixturePart(model(7), 0.6));
    List<Effect> next = leader.mixed(1, model(5));
    assertThat(sent(next))
        .containsExactlyInAnyOrder(
            new RegionModel(FIRST, 1, model(5)), new ClusterModel(FIRST, 1, model(5), 3));
    Effect.Compute training = only(Effect.Compute.class, next);
    assertThat(((Ticket.Train) training.work()).from()).isEqualTo(model(5));

    leader.trained(training.ticket(), model(1));
    // The other cluster is faster this time; the leader waits for its own.
    assertThat(leader.received(1, update(2, model(8), 60))).isEmpty();
    leader.received(3, new Update(FIRST, 1, model(2), -1, 0));
    assertThat(mixed(leader.mixed(1, model(4))))
        .containsExactly(new MixturePart(model(4), 0.4), new MixturePart(model(8), 0.6));
    assertThat(sent(leader.mixed(1, model(6))))
        .containsExactly(
            new RegionOutcome(
                FIRST,
                model(6),
                List.of(
                    new Share(0, Driver.ids(0, 3), List.of()),
                    new Share(1, Driver.ids(1), List.of())),
                0),
            new RegionModel(FIRST, 2, model(6)));
  }

  @Test
  void aHeadGoesOnWithTheAverageOfTheRegionAndIsDoneAfterTheLast() {
    Driver head = otherHead();

    List<Effect> next = head.received(0, new RegionModel(FIRST, 1, model(5)));

    assertThat(sent(next)).containsExactly(new ClusterModel(FIRST, 1, model(5), 2));
    head.trained(only(Effect.Compute.class, next).ticket(), model(1));
    head.received(2, new Update(FIRST, 1, model(2), -1, 0));
    head.mixed(1, model(4));
    assertThat(sent(head.received(0, new RegionModel(FIRST, 2, model(6)))))
        .containsExactly(new HflMessage.ClusterDone(FIRST));
    assertThat(head.timerFired("region", state(head).timerNumber())).isEmpty();
  }

  @Test
  void theLeaderDoesNotWaitForASilentClusterTwice() {
    Driver leader = leader();
    List<Effect> late = leader.timerFired("region", state(leader).timerNumber());
    assertThat(late).contains(counted("region-incomplete"));
    assertThat(mixed(late)).containsExactly(new MixturePart(model(3), 1));
    Effect.Compute training = only(Effect.Compute.class, leader.mixed(1, model(5)));

    // The deputy has taken over meanwhile, and continues with the average that it has missed.
    assertThat(leader.received(2, update(1, model(7), 20)))
        .containsExactly(new Effect.Send(DEPUTY, new RegionModel(FIRST, 1, model(5))));

    leader.trained(training.ticket(), model(1));
    leader.received(3, new Update(FIRST, 1, model(2), -1, 0));
    assertThat(mixed(leader.mixed(1, model(4)))).containsExactly(new MixturePart(model(4), 1));
  }

  @Test
  void theModelOfADeputyReplacesThatOfItsHead() {
    Driver leader = Driver.peer(HflTest.usual(), 0);
    leader.started(0, 1, 2, 3);
    Effect.Compute probe =
        only(Effect.Compute.class, leader.received(SERVER.number(), new Begin(FIRST, model(0))));
    leader.trained(probe.ticket(), model(9));
    Effect.Compute training =
        only(
            Effect.Compute.class,
            leader.received(
                SERVER.number(),
                new Assignment(
                    FIRST,
                    0,
                    LEADER,
                    Optional.empty(),
                    2,
                    List.of(new Member(LEADER, 40, 1, 0)),
                    Optional.of(REGION))));
    leader.received(1, update(1, model(7), 60));
    leader.received(2, update(1, model(8), 20));
    assertThat(leader.received(2, update(1, model(8), 20)))
        .containsExactly(counted("unexpected-message"));
    leader.trained(training.ticket(), model(1));

    assertThat(mixed(leader.mixed(1, model(3))))
        .containsExactly(
            new MixturePart(model(3), 40.0 / 60), new MixturePart(model(8), 20.0 / 60));
    assertThat(sent(leader.mixed(1, model(5))))
        .containsExactly(new RegionModel(FIRST, 1, model(5)));
  }

  @Test
  void theLeaderRefusesModelsThatAreNotOfTheRegion() {
    Driver leader = leader();
    for (RegionUpdate wrong :
        List.of(
            update(1, model(7), 61),
            update(1, model(7), -1),
            update(2, model(7), 60),
            new RegionUpdate(
                FIRST, 1, new ClusterAverage(0, model(7), List.of(), List.of(), 1), 0))) {
      assertThat(leader.received(1, wrong)).containsExactly(counted("unexpected-message"));
    }
    assertThat(leader.received(3, update(1, model(7), 60)))
        .containsExactly(counted("unexpected-message"));
  }

  @Test
  void aHeadWhoseLeaderIsSilentOrUnreachableSendsItsModelToTheCoordinator() {
    List<Object> left =
        List.of(
            new HflMessage.ClusterDone(FIRST),
            new Outcome(FIRST, 1, model(3), Driver.ids(1, 2), List.of(), 0));
    Driver waiting = otherHead();
    List<Effect> silent = waiting.timerFired("region", state(waiting).timerNumber());
    assertThat(silent).contains(counted("region-left"));
    assertThat(sent(silent)).containsExactlyElementsOf(left);

    Driver failing = otherHead();
    ClusterAverage average = new ClusterAverage(1, model(3), Driver.ids(1, 2), List.of(), 40);
    for (int attempt = 0; attempt < ClientStep.RETRIES; attempt++) {
      assertThat(sent(failing.sendFailed(0, new RegionUpdate(FIRST, 1, average, attempt))))
          .containsExactly(new RegionUpdate(FIRST, 1, average, attempt + 1));
    }
    assertThat(sent(failing.sendFailed(0, new RegionUpdate(FIRST, 1, average, ClientStep.RETRIES))))
        .containsExactlyElementsOf(left);
    assertThat(failing.received(0, new RegionModel(FIRST, 1, model(5))))
        .containsExactly(counted("unexpected-message"));
  }

  @Test
  void clustersAreDividedByTheLinksBetweenTheirHeads() {
    // Heads 1 and 2 have the best links; 0 is near 1, 3 near 2, and 4 reaches no other head.
    double[][] seconds = {
      {0, 2, 9, 9, INFINITE},
      {2, 0, 3, 6, INFINITE},
      {9, 3, 0, 2, INFINITE},
      {9, 6, 2, 0, INFINITE},
      {INFINITE, INFINITE, INFINITE, INFINITE, 0}
    };
    assertThat(Region.divide(2, seconds)).containsExactly(List.of(1, 0), List.of(2, 3));
    assertThat(Region.divide(1, seconds)).containsExactly(List.of(1, 0, 2, 3));
  }

  /** Two clusters of one client each, in one region. */
  private static Driver coordinator() {
    Driver coordinator = Driver.server(HflTest.usual(), 0, 1);
    coordinator.started();
    toServer(coordinator, 0);
    toServer(coordinator, 1);
    List<ClusterPlan> plans =
        List.of(
            new ClusterPlan(
                LEADER, List.of(new Member(LEADER, 10, 5, 0)), Optional.empty(), 2, 0.1, 5),
            new ClusterPlan(
                OTHER, List.of(new Member(OTHER, 30, 5, 0)), Optional.empty(), 2, 0.2, 5));
    Region region = Region.of(List.of(0, 1), 2, plans);
    assertThat(region.leader()).isEqualTo(LEADER);
    assertThat(region.cycleSeconds()).isEqualTo(5);
    List<Effect> assigned =
        coordinator.feed(
            new Event.Computed(
                100,
                1,
                new Result.Answered(
                    new FormClusters.FormedClusters(
                        plans,
                        List.of(region),
                        false,
                        List.of(),
                        LinkHistory.empty(4, 3),
                        Optional.empty(),
                        0.3,
                        6,
                        Optional.empty(),
                        FormClusters.ReportTotals.NONE))));
    assertThat(sent(assigned))
        .allMatch(each -> ((Assignment) each).region().equals(Optional.of(region)));
    return coordinator;
  }

  private static RegionOutcome outcome() {
    return new RegionOutcome(
        FIRST,
        model(6),
        List.of(new Share(0, Driver.ids(0), List.of()), new Share(1, Driver.ids(1), List.of())),
        0);
  }

  @Test
  void theCoordinatorTakesTheModelOfARegionForAllItsClusters() {
    assertThat(mixed(coordinator().received(0, outcome())))
        .containsExactly(new MixturePart(model(6), 1));
    assertThat(coordinator().received(1, outcome())).containsExactly(counted("unexpected-message"));
  }

  @Test
  void aClusterThatLeftItsRegionIsNotAveragedTwice() {
    Driver coordinator = coordinator();
    coordinator.received(1, new Outcome(FIRST, 1, model(8), Driver.ids(1), List.of(), 0));

    assertThat(mixed(coordinator.received(0, outcome())))
        .containsExactly(new MixturePart(model(6), 1));
  }
}
