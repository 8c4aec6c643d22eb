package io.kindred.simulator;

import io.kindred.core.peer.Observation;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Weights;
import io.kindred.environment.NetworkSettings;
import io.kindred.environment.Segments;
import io.kindred.environment.SimulatedEnvironment;
import io.kindred.environment.churn.ChurnModel;
import io.kindred.environment.churn.NoChurn;
import io.kindred.environment.device.AlikeDevices;
import io.kindred.environment.fault.Faults;
import io.kindred.environment.link.EvenLinks;
import io.kindred.environment.topology.ErdosRenyi;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.synthetic.Glyphs;
import io.kindred.learning.engine.jvm.Jvm;
import io.kindred.learning.model.Softmax;
import io.kindred.learning.partition.Dirichlet;
import io.kindred.learning.partition.Holdout;
import io.kindred.learning.training.PeerDatasets;
import io.kindred.methods.contract.Method;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.contract.Training;
import io.kindred.methods.hfl.Hfl;
import io.kindred.methods.hfl.StandbySettings;
import io.kindred.methods.hfl.formation.FormationSettings;
import io.kindred.methods.hfl.formation.SpectralSettings;
import io.kindred.methods.hfl.formation.SwapCriteria;
import io.kindred.methods.hfl.formation.SwapSettings;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.runtime.ObservationListener;
import io.kindred.runtime.Workers;
import io.kindred.simulator.state.SimulationSnapshot;
import io.kindred.simulator.state.SimulationSpec;
import io.kindred.simulator.state.Traffic;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A few peers with a few glyphs each: enough for every method to run a round in milliseconds. */
public record SmallSimulation(
    int peers,
    int rounds,
    long seed,
    int workers,
    NetworkSettings network,
    ChurnModel churn,
    Faults faults,
    Training training) {
  public static final NetworkSettings NETWORK =
      new NetworkSettings(
          new AlikeDevices(1e9, 200, 1, 4, 1),
          new EvenLinks(0.02, 0),
          0.05,
          0,
          new Segments(1, 1000),
          5,
          0.5);

  public SmallSimulation(int peers, int rounds, long seed, int workers) {
    this(
        peers,
        rounds,
        seed,
        workers,
        NETWORK,
        new NoChurn(),
        Faults.NONE,
        new Training(1, 8, 0.05, 0, 0));
  }

  /** Two clusters, formed over the few links of a small simulation. */
  public static Hfl hierarchy(
      Hfl.Feature feature, Hfl.Start start, double globalSeconds, TimeoutPolicy timeout) {
    return new Hfl(
        new FormationSettings(
            2,
            1,
            0,
            FormationSettings.Algorithm.SWAP,
            new SwapSettings(
                SwapCriteria.Solution.PAIR,
                0,
                10,
                SwapSettings.Choice.RANDOM,
                SwapSettings.Start.RANDOM,
                1),
            new SpectralSettings(1, 1, 1, 0)),
        feature,
        List.of(),
        1,
        start,
        Hfl.Weighting.SAMPLES,
        globalSeconds,
        0,
        2,
        3,
        10,
        4,
        3,
        feature == Hfl.Feature.CROP,
        timeout,
        new StandbySettings(60));
  }

  public SmallSimulation withNetwork(NetworkSettings other) {
    return new SmallSimulation(peers, rounds, seed, workers, other, churn, faults, training);
  }

  public SmallSimulation with(ChurnModel other) {
    return new SmallSimulation(peers, rounds, seed, workers, network, other, faults, training);
  }

  public SmallSimulation with(Faults other) {
    return new SmallSimulation(peers, rounds, seed, workers, network, churn, other, training);
  }

  public SmallSimulation with(Training other) {
    return new SmallSimulation(peers, rounds, seed, workers, network, churn, faults, other);
  }

  public SmallSimulation withWorkers(int count) {
    return new SmallSimulation(peers, rounds, seed, count, network, churn, faults, training);
  }

  public SmallSimulation withSeed(long other) {
    return new SmallSimulation(peers, rounds, other, workers, network, churn, faults, training);
  }

  /** The outcome of a run. */
  public record FinishedRun(Simulation simulation, List<ObservationListener.Observed> observed) {
    public Digest traceHash() {
      return simulation.traceHash();
    }

    public Traffic traffic() {
      return simulation.traffic();
    }

    /** The models that were deployed after mixing in the last round, by peer. */
    public List<Observation.Deployed> lastDeployed(int round) {
      List<Observation.Deployed> last = new ArrayList<>();
      for (ObservationListener.Observed each : observed) {
        if (each.observation() instanceof Observation.Deployed deployed
            && deployed.round() == round
            && deployed.stage() == Observation.Stage.MIXED) {
          last.add(deployed);
        }
      }
      return last;
    }
  }

  public static SmallSimulation of(int peers, int rounds) {
    return new SmallSimulation(peers, rounds, 1, 2);
  }

  public SimulationBuilder builder(Method method) {
    RandomStreams streams = new RandomStreams(seed);
    Dataset dataset = new Glyphs(40 * peers, 50, 4, 2, 1, 0.1, 0).load(streams, DataFiles.NONE);
    Ints labels = dataset.train().labels();
    List<Holdout.PeerSplit> split = new ArrayList<>();
    for (Ints share :
        new Dirichlet(1, 10).assign(labels, 4, peers, streams.stream(Purpose.PARTITION, 0, 0))) {
      split.add(
          Holdout.split(
              share, labels, 0.2, 0.2, streams.stream(Purpose.HOLD_OUT, split.size(), 0)));
    }
    return new SimulationBuilder(
        method,
        new PeerDatasets(dataset, split),
        new Softmax().sizedFor(dataset),
        new SimulatedEnvironment(
            new ErdosRenyi(Math.min(3, peers - 1))
                .connect(peers, streams.stream(Purpose.TOPOLOGY, 0, 0)),
            network,
            churn,
            faults,
            streams),
        training,
        rounds,
        seed);
  }

  public FinishedRun run(Method method) {
    return run(method, ShellService.NONE);
  }

  public FinishedRun run(Method method, ShellService service) {
    return runWithSnapshots(method, service, StepListener.NONE, Long.MAX_VALUE);
  }

  public FinishedRun run(Method method, StepListener listener) {
    return runWithSnapshots(method, ShellService.NONE, listener, Long.MAX_VALUE);
  }

  /** After every so many events the run is written to a snapshot, discarded and read back. */
  public FinishedRun runWithSnapshots(
      Method method, ShellService service, long eventsBetweenSnapshots) {
    return runWithSnapshots(method, service, StepListener.NONE, eventsBetweenSnapshots);
  }

  private FinishedRun runWithSnapshots(
      Method method, ShellService service, StepListener listener, long eventsBetweenSnapshots) {
    SimulationBuilder simulationBuilder = builder(method);
    List<ObservationListener.Observed> observed = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(workers)) {
      Workers threads = new Workers(pool, simulationBuilder.trainers(new Jvm()), () -> 0);
      SimulationSpec spec = simulationBuilder.build();
      Simulation simulation = new Simulation(spec, threads, observed::add, service, listener);
      for (long events = 1; simulation.step(); events++) {
        if (events % eventsBetweenSnapshots == 0) {
          simulation =
              new Simulation(
                  simulationBuilder.build(),
                  threads,
                  observed::add,
                  service,
                  listener,
                  copy(spec, simulation.snapshot()));
        }
      }
      return new FinishedRun(simulation, List.copyOf(observed));
    }
  }

  private static SimulationSnapshot copy(SimulationSpec spec, SimulationSnapshot snapshot) {
    SimulationSnapshot.Encoded encoded = snapshot.write(spec);
    try {
      return SimulationSnapshot.read(
          spec,
          encoded.bytes().toBytes(),
          digest -> {
            Weights weights = encoded.weights().get(digest);
            return weights == null ? null : Weights.copyOf(weights.layout(), weights.copy());
          });
    } catch (MalformedException e) {
      throw new AssertionError("a cut must read back", e);
    }
  }
}
