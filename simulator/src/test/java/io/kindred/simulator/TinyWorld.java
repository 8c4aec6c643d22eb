package io.kindred.simulator;

import io.kindred.core.Observation;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Weights;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Glyphs;
import io.kindred.learning.engine.Jvm;
import io.kindred.learning.model.Softmax;
import io.kindred.learning.partition.Dirichlet;
import io.kindred.learning.partition.Holdout;
import io.kindred.learning.training.Holdings;
import io.kindred.methods.Method;
import io.kindred.methods.Patience;
import io.kindred.methods.Training;
import io.kindred.methods.hierarchy.Hfl;
import io.kindred.methods.hierarchy.forming.Criteria;
import io.kindred.methods.hierarchy.forming.Grouping;
import io.kindred.methods.hierarchy.forming.SpectralRule;
import io.kindred.methods.hierarchy.forming.SwapRule;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.world.AlikeDevices;
import io.kindred.world.Churn;
import io.kindred.world.ErdosRenyi;
import io.kindred.world.EvenLinks;
import io.kindred.world.Faults;
import io.kindred.world.Network;
import io.kindred.world.NoChurn;
import io.kindred.world.Segments;
import io.kindred.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A few peers with a few glyphs each: enough for every method to run a round in milliseconds. */
public record TinyWorld(
    int peers, int rounds, long seed, int workers, Network network, Churn churn, Faults faults) {
  public static final Network NETWORK =
      new Network(
          new AlikeDevices(1e9, 200, 1, 4, 1),
          new EvenLinks(0.02, 0),
          0.05,
          0,
          new Segments(1, 1000),
          5,
          0.5);

  public TinyWorld(int peers, int rounds, long seed, int workers) {
    this(peers, rounds, seed, workers, NETWORK, new NoChurn(), Faults.NONE);
  }

  /** Two clusters of what the few links of a tiny world allow. */
  public static Method hierarchy(
      Hfl.Feature feature, Hfl.Start start, double globalSeconds, Patience patience) {
    return new Hfl(
        new Grouping(
            2,
            1,
            0,
            Grouping.Way.SWAP,
            new SwapRule(
                Criteria.Solution.PAIR, 0, 10, SwapRule.Choice.RANDOM, SwapRule.Start.RANDOM),
            new SpectralRule(1, 1, 1, 0)),
        feature,
        List.of(),
        1,
        start,
        Hfl.Weighting.SAMPLES,
        globalSeconds,
        0,
        2,
        3,
        feature == Hfl.Feature.CROP,
        patience);
  }

  public TinyWorld in(Network other) {
    return new TinyWorld(peers, rounds, seed, workers, other, churn, faults);
  }

  public TinyWorld with(Churn other) {
    return new TinyWorld(peers, rounds, seed, workers, network, other, faults);
  }

  public TinyWorld with(Faults other) {
    return new TinyWorld(peers, rounds, seed, workers, network, churn, other);
  }

  public TinyWorld withWorkers(int count) {
    return new TinyWorld(peers, rounds, seed, count, network, churn, faults);
  }

  public TinyWorld withSeed(long other) {
    return new TinyWorld(peers, rounds, other, workers, network, churn, faults);
  }

  /** What came of a run. */
  public record Ended(Simulation simulation, List<Watcher.Observed> observed) {
    public Digest traceHash() {
      return simulation.traceHash();
    }

    public Traffic traffic() {
      return simulation.traffic();
    }

    /** The models that were deployed after mixing in the last round, by peer. */
    public List<Observation.Deployed> lastDeployed(int round) {
      List<Observation.Deployed> last = new ArrayList<>();
      for (Watcher.Observed each : observed) {
        if (each.observation() instanceof Observation.Deployed deployed
            && deployed.round() == round
            && deployed.stage() == Observation.Stage.MIXED) {
          last.add(deployed);
        }
      }
      return last;
    }
  }

  public static TinyWorld of(int peers, int rounds) {
    return new TinyWorld(peers, rounds, 1, 2);
  }

  public Setup setup(Method method) {
    RandomStreams streams = new RandomStreams(seed);
    Dataset dataset = new Glyphs(40 * peers, 50, 4, 2, 1, 0.1, 0).load(streams, DataFiles.NONE);
    Ints labels = dataset.train().labels();
    List<Holdout.Parts> parts = new ArrayList<>();
    for (Ints share :
        new Dirichlet(1, 10).assign(labels, 4, peers, streams.stream(Purpose.PARTITION, 0, 0))) {
      parts.add(
          Holdout.split(
              share, labels, 0.2, 0.2, streams.stream(Purpose.HOLD_OUT, parts.size(), 0)));
    }
    return new Setup(
        method,
        new Holdings(dataset, parts),
        new Softmax().sizedFor(dataset),
        new World(
            new ErdosRenyi(Math.min(3, peers - 1))
                .connect(peers, streams.stream(Purpose.TOPOLOGY, 0, 0)),
            network,
            churn,
            faults,
            streams),
        new Training(1, 8, 0.05, 0, 0),
        rounds,
        seed);
  }

  public Ended run(Method method) {
    return run(method, ShellService.NONE);
  }

  public Ended run(Method method, ShellService service) {
    return runWithCuts(method, service, Inspector.NONE, Long.MAX_VALUE);
  }

  public Ended run(Method method, Inspector inspector) {
    return runWithCuts(method, ShellService.NONE, inspector, Long.MAX_VALUE);
  }

  /** After every so many events the run is written down, thrown away and read back. */
  public Ended runWithCuts(Method method, ShellService service, long eventsBetweenCuts) {
    return runWithCuts(method, service, Inspector.NONE, eventsBetweenCuts);
  }

  private Ended runWithCuts(
      Method method, ShellService service, Inspector inspector, long eventsBetweenCuts) {
    Setup setup = setup(method);
    List<Watcher.Observed> observed = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(workers)) {
      Workers threads = new Workers(pool, setup.trainers(new Jvm()), () -> 0);
      Scene scene = setup.scene();
      Simulation simulation = new Simulation(scene, threads, observed::add, service, inspector);
      for (long events = 1; simulation.step(); events++) {
        if (events % eventsBetweenCuts == 0) {
          simulation =
              new Simulation(
                  setup.scene(),
                  threads,
                  observed::add,
                  service,
                  inspector,
                  copy(scene, simulation.cut()));
        }
      }
      return new Ended(simulation, List.copyOf(observed));
    }
  }

  private static Cut copy(Scene scene, Cut cut) {
    Cut.Written written = cut.write(scene);
    try {
      return Cut.read(
          scene,
          written.bytes().toBytes(),
          digest -> {
            Weights weights = written.weights().get(digest);
            return weights == null ? null : Weights.copyOf(weights.layout(), weights.copy());
          });
    } catch (MalformedException e) {
      throw new AssertionError("a cut must read back", e);
    }
  }
}
