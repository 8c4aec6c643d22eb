package io.kindred.simulator;

import io.kindred.core.peer.Observation;
import io.kindred.core.weights.Weights;
import io.kindred.environment.SimulatedEnvironment;
import io.kindred.learning.engine.EngineChoice;
import io.kindred.learning.model.Architecture;
import io.kindred.learning.training.OperationCounter;
import io.kindred.learning.training.PeerDatasets;
import io.kindred.learning.training.Trainer;
import io.kindred.methods.contract.Method;
import io.kindred.methods.contract.PeerFactory;
import io.kindred.methods.contract.Training;
import io.kindred.simulator.state.SimulationSpec;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A method, data and a world, from which the scene of a run follows. Weights that were drawn go
 * through {@code start}, which may put pre-trained ones in their place.
 */
public record SimulationBuilder(
    Method method,
    PeerDatasets peerDatasets,
    Architecture architecture,
    SimulatedEnvironment environment,
    Training training,
    int rounds,
    long seed,
    UnaryOperator<Weights> weightInitializer) {
  /** Models start as they are drawn. */
  public SimulationBuilder(
      Method method,
      PeerDatasets holdings,
      Architecture architecture,
      SimulatedEnvironment world,
      Training training,
      int rounds,
      long seed) {
    this(method, holdings, architecture, world, training, rounds, seed, UnaryOperator.identity());
  }

  /** The machines of every peer in their world. */
  public SimulationSpec build() {
    OperationCounter operationCounter = new OperationCounter(architecture, peerDatasets);
    return new SimulationSpec(
        peerFactory().allPeers(),
        environment,
        operationCounter::count,
        peerFactory().wire(),
        rounds,
        method.measuresLinks(),
        method.lastStage() == Observation.Stage.FINAL,
        method.continuesAfterLastRound());
  }

  /** Everything but the world. */
  public PeerFactory peerFactory() {
    return new PeerFactory(
        method, peerDatasets, architecture, training, rounds, seed, weightInitializer);
  }

  /** Makes trainers, one for each thread that asks. */
  public Supplier<Trainer> trainers(EngineChoice engine) {
    return peerFactory().trainers(engine);
  }
}
