package io.kindred.simulator;

import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Weights;
import io.kindred.environment.SimulatedEnvironment;
import io.kindred.learning.engine.EngineChoice;
import io.kindred.learning.model.Architecture;
import io.kindred.learning.training.OperationCounter;
import io.kindred.learning.training.PeerDatasets;
import io.kindred.learning.training.Trainer;
import io.kindred.methods.contract.Conduct;
import io.kindred.methods.contract.Method;
import io.kindred.methods.contract.NeighbourChoice;
import io.kindred.methods.contract.PeerFactory;
import io.kindred.methods.contract.Training;
import io.kindred.runtime.RoundCompletion;
import io.kindred.simulator.state.SimulationSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * A method, data and an environment, from which the spec of a run follows. The drawn initial
 * weights pass through {@code weightInitializer}, which may replace them with pre-trained ones.
 */
public record SimulationBuilder(
    Method method,
    PeerDatasets peerDatasets,
    Architecture architecture,
    SimulatedEnvironment environment,
    Training training,
    int rounds,
    long seed,
    UnaryOperator<Weights> weightInitializer,
    Conduct conduct) {
  /** Models start with the drawn weights. */
  public SimulationBuilder(
      Method method,
      PeerDatasets peerDatasets,
      Architecture architecture,
      SimulatedEnvironment environment,
      Training training,
      int rounds,
      long seed) {
    this(
        method,
        peerDatasets,
        architecture,
        environment,
        training,
        rounds,
        seed,
        UnaryOperator.identity(),
        Conduct.HONEST);
  }

  /** The machines of every peer, with their environment. */
  public SimulationSpec build() {
    OperationCounter operationCounter = new OperationCounter(architecture, peerDatasets);
    return new SimulationSpec(
        peerFactory().allPeers(),
        environment,
        operationCounter::count,
        operationCounter::epochs,
        peerFactory().wire(),
        RoundCompletion.inSimulator(method, rounds),
        method.measuresLinks(),
        method.continuesAfterLastRound());
  }

  /** Everything but the environment. */
  public PeerFactory peerFactory() {
    return new PeerFactory(
            method, peerDatasets, architecture, training, rounds, seed, weightInitializer)
        .withChoices(choices())
        .withCapacities(capacities())
        .withConduct(conduct);
  }

  private List<Double> capacities() {
    return IntStream.range(0, peerDatasets.splits().size())
        .mapToObj(peer -> environment.device(peer).servingRate())
        .toList();
  }

  /** The neighbours of each peer in each direction; none where links serve both. */
  private List<NeighbourChoice> choices() {
    List<Ints> chosen =
        environment.network().links().chosenNeighbours(environment.graph()).orElse(List.of());
    List<SortedSet<PeerId>> audiences = new ArrayList<>();
    chosen.forEach(each -> audiences.add(new TreeSet<>()));
    List<SortedSet<PeerId>> sources = new ArrayList<>();
    for (int peer = 0; peer < chosen.size(); peer++) {
      SortedSet<PeerId> own = new TreeSet<>();
      for (int source : chosen.get(peer).shared()) {
        own.add(new PeerId(source));
        audiences.get(source).add(new PeerId(peer));
      }
      sources.add(own);
    }
    List<NeighbourChoice> choices = new ArrayList<>();
    for (int peer = 0; peer < chosen.size(); peer++) {
      choices.add(new NeighbourChoice(sources.get(peer), audiences.get(peer)));
    }
    return choices;
  }

  /** Creates trainers, one for each thread that requests one. */
  public Supplier<Trainer> trainers(EngineChoice engine) {
    return peerFactory().trainers(engine);
  }
}
