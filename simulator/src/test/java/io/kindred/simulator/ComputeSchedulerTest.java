package io.kindred.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Component;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Weights;
import io.kindred.learning.engine.jvm.Jvm;
import io.kindred.methods.baseline.Local;
import io.kindred.runtime.ComputeBudget;
import io.kindred.runtime.Workers;
import io.kindred.simulator.state.EventKey;
import io.kindred.simulator.state.QueuedEvent;
import io.kindred.simulator.state.SimulationSpec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Work starts as long as the models in its results fit into the budget. */
class ComputeSchedulerTest {
  private static final int LARGE = 200_000;

  private final SimulationSpec spec =
      withSlowTickets(SmallSimulation.of(3, 1).builder(new Local()).build());
  private final Deque<Runnable> started = new ArrayDeque<>();
  private int everStarted;

  /** Small tickets would be computed at once, on the calling thread. */
  private static SimulationSpec withSlowTickets(SimulationSpec spec) {
    return new SimulationSpec(
        spec.participants(),
        spec.environment(),
        (peer, ticket) -> 1_000_000_000,
        spec.epochs(),
        spec.wire(),
        spec.roundCompletion(),
        spec.measuresLinks(),
        spec.continuesAfterLastRound());
  }

  private ComputeScheduler scheduler(long mostBytes, int least) {
    Workers workers =
        new Workers(
            work -> {
              everStarted++;
              started.add(work);
            },
            SmallSimulation.of(3, 1).builder(new Local()).trainers(new Jvm()),
            () -> 0);
    return new ComputeScheduler(spec, workers, new ComputeBudget(mostBytes, least));
  }

  private static QueuedEvent.Work mixing(int size) {
    Weights weights = Weights.wrap(Layout.builder().add("all", size).build(), new float[size]);
    return new QueuedEvent.Work(
        Component.METHOD, 1, new Ticket.Mix(Mixture.mean(List.of(weights, weights))), 0);
  }

  private static List<ComputeScheduler.Computation> add(
      ComputeScheduler scheduler, int count, int size) {
    List<ComputeScheduler.Computation> added = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      added.add(scheduler.add(new EventKey(i, 0, 0, i), mixing(size)));
    }
    return added;
  }

  @Test
  void noMoreModelsAreComputedAheadThanFitIntoTheBudget() {
    List<ComputeScheduler.Computation> added = add(scheduler(4L * LARGE * 3, 1), 10, LARGE);
    assertThat(added).hasSize(10);
    assertThat(everStarted).isEqualTo(3);
  }

  @Test
  void aSmallBudgetStillKeepsTheCoresBusy() {
    add(scheduler(1, 2), 10, LARGE);
    assertThat(everStarted).isEqualTo(2);
  }

  @Test
  void everyResultThatIsTakenOrNoLongerNeededMakesRoom() {
    ComputeScheduler scheduler = scheduler(4L * LARGE * 3, 1);
    List<ComputeScheduler.Computation> added = add(scheduler, 10, LARGE);
    started.forEach(Runnable::run);
    scheduler.await(added.get(0));
    assertThat(everStarted).isEqualTo(4);
    scheduler.cancel(added.get(1));
    assertThat(everStarted).isEqualTo(5);
    scheduler.cancel(added.get(9));
    assertThat(everStarted).as("it had not started and held no room").isEqualTo(5);
  }
}
