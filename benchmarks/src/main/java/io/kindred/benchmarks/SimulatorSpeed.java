package io.kindred.benchmarks;

import io.kindred.core.config.Setting;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.environment.NetworkSettings;
import io.kindred.environment.SimulatedEnvironment;
import io.kindred.environment.churn.NoChurn;
import io.kindred.environment.device.DeviceModels;
import io.kindred.environment.fault.Faults;
import io.kindred.environment.link.LinkModels;
import io.kindred.environment.topology.ErdosRenyi;
import io.kindred.learning.data.ByteFeatures;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Samples;
import io.kindred.learning.engine.jvm.Jvm;
import io.kindred.learning.model.Softmax;
import io.kindred.learning.partition.Holdout;
import io.kindred.learning.training.PeerDatasets;
import io.kindred.methods.contract.Training;
import io.kindred.runtime.LiveHeap;
import io.kindred.runtime.Workers;
import io.kindred.simulator.ShellService;
import io.kindred.simulator.Simulation;
import io.kindred.simulator.SimulationBuilder;
import io.kindred.simulator.StepListener;
import io.kindred.simulator.state.SimulationSpec;
import io.kindred.storage.config.Binder;
import io.kindred.storage.config.ConfigFile;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/**
 * Messages per second and memory per peer of gossip in the simulator, from a hundred peers that
 * train to a hundred thousand that only send pings.
 *
 * <p>Usage: {@code ./benchmarks/run SimulatorSpeed [PEERS STEPS TURNS]...}
 */
public final class SimulatorSpeed {
  private static final int FEATURES = 57;
  private static final int CLASSES = 2;
  private static final int SAMPLES_PER_PEER = 46;
  private static final int BATCH = 32;

  private record EnvironmentDefaults(
      @Setting(doc = "the network", fallback = "{}") NetworkSettings network,
      @Setting(doc = "the faults", fallback = "{}") Faults faults) {}

  private SimulatorSpeed() {}

  public static void main(String[] arguments) {
    int[] numbers =
        arguments.length == 0
            ? new int[] {100, 19, 200, 10_000, 1, 20, 100_000, 0, 20}
            : IntStream.range(0, arguments.length)
                .map(i -> Integer.parseInt(arguments[i]))
                .toArray();
    for (int i = 0; i + 2 < numbers.length; i += 3) {
      measure(numbers[i], numbers[i + 1], numbers[i + 2]);
    }
  }

  private static void measure(int peers, int steps, int turns) {
    int cores = Runtime.getRuntime().availableProcessors();
    long before = LiveHeap.bytes();
    SimulationBuilder builder = setup(peers, steps, turns);
    try (ExecutorService pool = Executors.newFixedThreadPool(cores)) {
      Workers workers = new Workers(pool, builder.trainers(new Jvm()), System::nanoTime);
      SimulationSpec spec = builder.build();
      Simulation simulation =
          new Simulation(spec, workers, observed -> {}, ShellService.NONE, StepListener.NONE);
      long started = System.nanoTime();
      long processorStarted = processorNanos();
      long middle = (long) peers * turns / 2;
      double bytes = Double.NaN;
      long paused = 0;
      long processorPaused = 0;
      while (simulation.step()) {
        if (Double.isNaN(bytes) && simulation.events() > middle) {
          long from = System.nanoTime();
          long processorFrom = processorNanos();
          bytes = (LiveHeap.bytes() - before) / (double) peers;
          paused = System.nanoTime() - from;
          processorPaused = processorNanos() - processorFrom;
        }
      }
      double seconds = (System.nanoTime() - started - paused) / 1e9;
      double processorSeconds = (processorNanos() - processorStarted - processorPaused) / 1e9;
      long messages = (long) peers * turns;
      System.out.printf(
          Locale.ROOT,
          "%,d peers, %d steps per message: %,.0f messages/s, %,.0f events/s, %,.0f messages per"
              + " processor second of the thread that steps peers, %,.0f bytes per peer (data of"
              + " %,d samples included), trace %s%n",
          peers,
          steps,
          messages / seconds,
          simulation.events() / seconds,
          messages / processorSeconds,
          bytes,
          steps == 0 ? 1 : SAMPLES_PER_PEER,
          simulation.traceHash());
    }
  }

  /** Processor time of this thread, which a busy machine lengthens less than wall time. */
  private static long processorNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static SimulationBuilder setup(int peers, int steps, int turns) {
    RandomStreams streams = new RandomStreams(1);
    int each = steps == 0 ? 1 : SAMPLES_PER_PEER;
    Dataset dataset = dataset(peers * each, streams.stream(Purpose.DATA, 0, 0));
    List<Holdout.PeerSplit> split = new ArrayList<>();
    for (int peer = 0; peer < peers; peer++) {
      int from = peer * each;
      split.add(
          new Holdout.PeerSplit(
              Ints.wrap(IntStream.range(from, from + each).toArray()), Ints.of(), Ints.of()));
    }
    EnvironmentDefaults defaults =
        new Binder(List.of(DeviceModels.ALL, LinkModels.ALL))
            .bind(EnvironmentDefaults.class, ConfigFile.parse("defaults", "{}"));
    return new SimulationBuilder(
        new PushGossip(steps),
        new PeerDatasets(dataset, split),
        new Softmax().sizedFor(dataset),
        new SimulatedEnvironment(
            new ErdosRenyi(10).connect(peers, streams.stream(Purpose.TOPOLOGY, 0, 0)),
            defaults.network(),
            new NoChurn(),
            defaults.faults(),
            streams),
        new Training(1, BATCH, 0.1, 0, 0),
        turns,
        1);
  }

  private static Dataset dataset(int samples, RandomStream random) {
    byte[] bytes = new byte[samples * FEATURES];
    int[] labels = new int[samples];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) random.nextInt(256);
    }
    for (int i = 0; i < samples; i++) {
      labels[i] = random.nextInt(CLASSES);
    }
    Samples all = new Samples(new ByteFeatures(bytes, FEATURES, 1 / 128f, -1f), Ints.wrap(labels));
    return new Dataset("random", List.of(FEATURES), CLASSES, all, all);
  }
}
