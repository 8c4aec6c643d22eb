package io.kindred.learning.engine;

import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import java.util.Optional;

/**
 * Turns gradients into new weights as a ticket specifies: order of the samples, terms of the
 * objective, optimizer. It works on flat vectors, so it serves every engine. An instance owns
 * scratch memory and serves one thread at a time.
 */
public final class LocalTraining {
  private final Engine engine;
  private final Optional<PictureAugmentation> augmentation;
  private final ObjectiveTerms terms = new ObjectiveTerms();
  private final OptimizerState optimizer = new OptimizerState();
  private float[] gradient = {};
  private float[] lookaheadWeights = {};

  public LocalTraining(Engine engine) {
    this(engine, Optional.empty());
  }

  /** Training that changes the pictures of every batch at random. */
  public LocalTraining(Engine engine, Optional<PictureAugmentation> augmentation) {
    this.engine = engine;
    this.augmentation = augmentation;
  }

  public Result.Trained train(Ticket.Train ticket, SampleRows rows, RandomStream random) {
    if (rows.count() == 0) {
      return untrained(ticket);
    }
    Layout layout = ticket.from().layout();
    Objective objective = ticket.objective();
    ParameterRanges moved = ParameterRanges.of(layout, objective.layers());
    float[] weights = ticket.from().copy();
    prepare(weights.length, objective.lookahead() > 0);
    optimizer.reset(ticket);
    Batches batches = new Batches(rows, ticket.batch(), random, augmentation);
    int perStep = objective.lookahead() > 0 ? 2 : 1;
    int stepsPerPass = stepsFor(batches.batchesPerPass(), perStep);
    int steps =
        switch (ticket.duration()) {
          case Ticket.Duration.Epochs(int count) ->
              stepsFor(Math.multiplyExact(count, batches.batchesPerPass()), perStep);
          case Ticket.Duration.Steps(int count) -> count;
        };
    double lossSum = 0;
    long lossCount = 0;
    for (int step = 0; step < steps; step++) {
      if (step % stepsPerPass == 0) {
        lossSum = 0;
        lossCount = 0;
      }
      Batch batch = batches.next();
      double loss = gradientAt(weights, batch, objective, layout, random);
      if (perStep == 2) {
        batch = batches.next();
        loss = lookaheadGradient(weights, batch, objective, layout, moved, random);
      }
      lossSum += loss;
      lossCount += batch.size();
      optimizer.step(ticket.optimizer(), moved, gradient, weights);
    }
    restoreUntrainedLayers(ticket, weights);
    return new Result.Trained(
        Weights.wrap(layout, weights),
        lossCount == 0 ? 0 : lossSum / lossCount,
        batches.samplesSeen(),
        ticket.returnsVelocity()
            ? Optional.of(Weights.wrap(layout, optimizer.velocity()))
            : Optional.empty());
  }

  /** The result of training without samples: weights and velocity stay as they are. */
  public static Result.Trained untrained(Ticket.Train ticket) {
    Layout layout = ticket.from().layout();
    return new Result.Trained(
        ticket.from(),
        0,
        0,
        ticket.returnsVelocity()
            ? ticket
                .velocity()
                .or(() -> Optional.of(Weights.wrap(layout, new float[layout.size()])))
            : Optional.empty());
  }

  private static int stepsFor(int batches, int perStep) {
    return (batches + perStep - 1) / perStep;
  }

  private void prepare(int size, boolean looksAhead) {
    if (gradient.length != size) {
      gradient = new float[size];
    }
    if (looksAhead && lookaheadWeights.length != size) {
      lookaheadWeights = new float[size];
    }
  }

  private double gradientAt(
      float[] at, Batch batch, Objective objective, Layout layout, RandomStream random) {
    double loss = engine.lossAndGradient(at, batch, gradient, random);
    terms.add(objective.terms(), layout, at, gradient);
    return loss;
  }

  /**
   * Replaces the gradient at the weights by the gradient of the second batch, one lookahead step
   * further on.
   */
  private double lookaheadGradient(
      float[] weights,
      Batch batch,
      Objective objective,
      Layout layout,
      ParameterRanges moved,
      RandomStream random) {
    System.arraycopy(weights, 0, lookaheadWeights, 0, weights.length);
    moved.addScaled(-objective.lookahead(), gradient, lookaheadWeights);
    double loss = gradientAt(lookaheadWeights, batch, objective, layout, random);
    // Only the lookahead weights have the running statistics of the second batch.
    for (Layout.Block block : layout.blocks()) {
      if (!block.trained()) {
        System.arraycopy(lookaheadWeights, block.offset(), weights, block.offset(), block.size());
      }
    }
    return loss;
  }

  /** An engine updates all running statistics; those of untrained layers are restored. */
  private static void restoreUntrainedLayers(Ticket.Train ticket, float[] weights) {
    if (ticket.objective().layers().isEmpty()) {
      return;
    }
    for (Layout.Block block : ticket.from().layout().blocks()) {
      if (!ParameterRanges.covers(ticket.objective().layers(), block)) {
        System.arraycopy(
            ticket.from().shared(), block.offset(), weights, block.offset(), block.size());
      }
    }
  }
}
