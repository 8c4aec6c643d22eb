package io.kindred.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Predictor;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Digest;
import io.kindred.learning.engine.Batch;
import io.kindred.learning.engine.Engine;
import io.kindred.learning.engine.SampleRows;
import io.kindred.learning.engine.jvm.Jvm;
import io.kindred.methods.averaging.FedAvg;
import io.kindred.methods.baseline.Local;
import io.kindred.methods.contract.Method;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.contract.Training;
import io.kindred.methods.contract.TrainingBuilder;
import io.kindred.methods.rounds.RoundSettings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whole runs in which peers keep their velocities. */
class VelocityRunTest {
  private static final int ROUNDS = 4;
  private static final float RATE = 0.05f;
  private static final float MOMENTUM = 0.9f;
  private static final int BATCH = 8;
  private static final Training RESET = new Training(1, BATCH, 0.05, 0.9, 0);
  private static final Training KEEP =
      TrainingBuilder.from(RESET).velocity(Training.Velocity.KEEP).build();
  private static final RoundSettings ALL_CLIENTS = RoundSettings.of(TimeoutPolicy.of(600));
  private static final FedAvg AVERAGED = new FedAvg(0, FedAvg.Velocities.AVERAGED, ALL_CLIENTS);

  /** Momentum SGD of one peer, written out: one epoch at a time, from any weights and velocity. */
  private static final class HandLoop {
    private final SimulationBuilder builder;
    private final Engine engine;
    private final SampleRows rows;
    private final int peer;
    float[] weights;
    float[] velocity;

    HandLoop(SimulationBuilder builder, int peer) {
      this.builder = builder;
      this.peer = peer;
      engine = new Jvm().create(builder.architecture());
      rows = builder.peerDatasets().rows(new PeerId(peer), DataView.own(DataView.Split.TRAIN));
      weights =
          builder
              .architecture()
              .initialWeights(
                  new RandomStreams(builder.seed()).stream(Purpose.INITIAL_WEIGHTS, 0, 0))
              .copy();
      velocity = new float[weights.length];
    }

    void epoch(int round) {
      RandomStream random = new RandomStreams(builder.seed()).stream(Purpose.BATCHES, peer, round);
      int[] order = random.permutation(rows.count());
      float[] gradient = new float[weights.length];
      for (int from = 0; from < rows.count(); from += BATCH) {
        Batch batch = new Batch(rows, order, from, Math.min(from + BATCH, rows.count()));
        engine.lossAndGradient(weights, batch, gradient, random);
        for (int i = 0; i < weights.length; i++) {
          velocity[i] = Math.fma(MOMENTUM, velocity[i], gradient[i]);
          weights[i] = Math.fma(-RATE, velocity[i], weights[i]);
        }
      }
    }
  }

  private static List<float[]> deployed(SmallSimulation.FinishedRun run, int round) {
    return run.lastDeployed(round).stream()
        .map(each -> ((Predictor.Single) each.predictor()).weights().copy())
        .toList();
  }

  @Test
  void localPeersTrainAsWithoutInterruption() {
    SmallSimulation simulation = SmallSimulation.of(3, ROUNDS).with(KEEP);
    HandLoop loop = new HandLoop(simulation.builder(new Local()), 1);
    for (int round = 1; round <= ROUNDS; round++) {
      loop.epoch(round);
    }
    assertThat(deployed(simulation.run(new Local()), ROUNDS))
        .anySatisfy(model -> assertThat(model).containsExactly(loop.weights));
    assertThat(deployed(simulation.with(RESET).run(new Local()), ROUNDS))
        .as("velocities that are reset")
        .noneSatisfy(model -> assertThat(model).containsExactly(loop.weights));
  }

  @Test
  void oneClientWithAveragedVelocitiesTrainsAsWithoutInterruption() {
    SmallSimulation simulation = SmallSimulation.of(1, ROUNDS).with(KEEP);
    HandLoop loop = new HandLoop(simulation.builder(AVERAGED), 0);
    for (int round = 1; round <= ROUNDS; round++) {
      loop.epoch(round);
    }
    List<float[]> last = deployed(simulation.run(AVERAGED), ROUNDS);
    assertThat(last).hasSize(1);
    assertThat(last.getFirst()).containsExactly(loop.weights);
  }

  @Test
  void twoClientsGoOnWithTheMeanOfTheirVelocities() {
    SmallSimulation simulation = SmallSimulation.of(2, 2).with(KEEP);
    List<HandLoop> loops = new ArrayList<>();
    for (int peer = 0; peer < 2; peer++) {
      loops.add(new HandLoop(simulation.builder(AVERAGED), peer));
    }
    float share =
        loops.get(0).rows.count() / (float) (loops.get(0).rows.count() + loops.get(1).rows.count());
    for (int round = 1; round <= 2; round++) {
      for (HandLoop loop : loops) {
        loop.epoch(round);
      }
      float[] weights = mean(loops.get(0).weights, loops.get(1).weights, share);
      float[] velocity = mean(loops.get(0).velocity, loops.get(1).velocity, share);
      for (HandLoop loop : loops) {
        loop.weights = weights.clone();
        loop.velocity = velocity.clone();
      }
    }
    List<float[]> last = deployed(simulation.run(AVERAGED), 2);
    assertThat(last).hasSize(2);
    for (float[] model : last) {
      assertThat(model).containsExactly(loops.get(0).weights, within(1e-5f));
    }
    List<float[]> own = deployed(simulation.run(new FedAvg(0, ALL_CLIENTS)), 2);
    assertThat(own.getFirst())
        .as("every client with its own velocity")
        .satisfies(model -> assertThat(farthest(model, loops.get(0).weights)).isGreaterThan(1e-3f));
  }

  private static float[] mean(float[] first, float[] second, float share) {
    float[] mean = new float[first.length];
    for (int i = 0; i < mean.length; i++) {
      mean[i] = share * first[i] + (1 - share) * second[i];
    }
    return mean;
  }

  private static float farthest(float[] one, float[] other) {
    float most = 0;
    for (int i = 0; i < one.length; i++) {
      most = Math.max(most, Math.abs(one[i] - other[i]));
    }
    return most;
  }

  @Test
  void averagedVelocitiesDoubleTheTraffic() {
    SmallSimulation simulation = SmallSimulation.of(5, 3).with(KEEP);
    long own = simulation.run(new FedAvg(0, ALL_CLIENTS)).traffic().totals(0).modelBytes();
    long averaged = simulation.run(AVERAGED).traffic().totals(0).modelBytes();
    // The first message has the weights and a velocity of zeros.
    assertThat(averaged).isEqualTo(2 * own);
  }

  /** The setting has no effect on kin, which has settings of its own for the velocity. */
  @ParameterizedTest
  @MethodSource("io.kindred.simulator.DeterminismTest#withoutKin")
  void everyMethodKeepsVelocitiesAndResumes(Method method) {
    SmallSimulation simulation = SmallSimulation.of(5, 3).with(KEEP);
    assertThat(requireResumable(simulation, method))
        .isNotEqualTo(simulation.with(RESET).run(method).traceHash());
  }

  @Test
  void averagedVelocitiesResume() {
    SmallSimulation simulation = SmallSimulation.of(5, 3).with(KEEP);
    assertThat(requireResumable(simulation, AVERAGED))
        .isNotEqualTo(simulation.run(new FedAvg(0, ALL_CLIENTS)).traceHash());
  }

  /** A run that is cut and read back goes on as if nothing happened. */
  private static Digest requireResumable(SmallSimulation simulation, Method method) {
    SmallSimulation.FinishedRun whole = simulation.run(method);
    for (long between : new long[] {1, 3}) {
      SmallSimulation.FinishedRun resumed =
          simulation.runWithSnapshots(method, ShellService.NONE, between);
      assertThat(resumed.traceHash()).isEqualTo(whole.traceHash());
      assertThat(resumed.observed()).isEqualTo(whole.observed());
    }
    return whole.traceHash();
  }

  @ParameterizedTest
  @MethodSource("io.kindred.simulator.FaultToleranceTest#methods")
  void churnAndFaultsAreSurvived(Method method) {
    SmallSimulation simulation = FaultToleranceTest.withFaults().with(KEEP);
    SmallSimulation.FinishedRun whole = simulation.run(method);
    assertThat(simulation.runWithSnapshots(method, ShellService.NONE, 5).traceHash())
        .isEqualTo(whole.traceHash());
  }

  @Test
  void withoutMomentumTheSettingChangesNothing() {
    SmallSimulation plain = SmallSimulation.of(3, 3);
    Training keep =
        TrainingBuilder.from(new Training(1, BATCH, 0.05, 0, 0))
            .velocity(Training.Velocity.KEEP)
            .build();
    assertThat(plain.with(keep).run(new Local()).traceHash())
        .isEqualTo(plain.run(new Local()).traceHash());
  }
}
