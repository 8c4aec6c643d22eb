package io.kindred.simulator;

import io.kindred.core.Observation;
import io.kindred.core.weights.Weights;
import io.kindred.learning.engine.EngineChoice;
import io.kindred.learning.model.Architecture;
import io.kindred.learning.training.Holdings;
import io.kindred.learning.training.Operations;
import io.kindred.learning.training.Trainer;
import io.kindred.methods.Cast;
import io.kindred.methods.Method;
import io.kindred.methods.Training;
import io.kindred.world.World;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A method, data and a world, from which the scene of a run follows. Weights that were drawn go
 * through {@code start}, which may put pre-trained ones in their place.
 */
public record Setup(
    Method method,
    Holdings holdings,
    Architecture architecture,
    World world,
    Training training,
    int rounds,
    long seed,
    UnaryOperator<Weights> start) {
  /** Models start as they are drawn. */
  public Setup(
      Method method,
      Holdings holdings,
      Architecture architecture,
      World world,
      Training training,
      int rounds,
      long seed) {
    this(method, holdings, architecture, world, training, rounds, seed, UnaryOperator.identity());
  }

  /** The machines of every peer in their world. */
  public Scene scene() {
    Operations operations = new Operations(architecture, holdings);
    return new Scene(
        cast().all(),
        world,
        operations::of,
        cast().wire(),
        rounds,
        method.measuresLinks(),
        method.lastStage() == Observation.Stage.FINAL,
        method.lingers());
  }

  /** Everything but the world. */
  public Cast cast() {
    return new Cast(method, holdings, architecture, training, rounds, seed, start);
  }

  /** Makes trainers, one for each thread that asks. */
  public Supplier<Trainer> trainers(EngineChoice engine) {
    return cast().trainers(engine);
  }
}
