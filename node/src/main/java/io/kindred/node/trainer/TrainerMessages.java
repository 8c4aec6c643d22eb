package io.kindred.node.trainer;

import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import java.util.List;

/**
 * The messages of {@code trainer.proto}: components are the fields in their order, the first is
 * field 1. That file documents the fields.
 */
final class TrainerMessages {
  /** The version that both sides must speak. */
  static final int VERSION = 1;

  private TrainerMessages() {}

  /** The model that is to be trained, and where its data is. */
  record HelloRequest(
      int version,
      long peer,
      List<Block> layout,
      List<String> layers,
      String task,
      Ints inputShape,
      int outputs,
      String dataFile) {}

  /** A block of the layout. */
  record Block(String name, Ints shape, boolean trained) {}

  /** What a trainer can do, and how much data it has. */
  record HelloReply(
      int version,
      String name,
      List<String> offers,
      int trainSamples,
      int validationSamples,
      int testSamples,
      int commonSamples,
      Ints labelCounts) {}

  /** A consecutive part of a vector. */
  record VectorPart(String name, Floats values) {}

  /** Asks for a vector. */
  record VectorName(String name) {}

  /** An empty answer. */
  record Done() {}

  /** The samples that a call is about. */
  record View(String split, String selection, Ints indices, Floats weights) {}

  /** How to train. */
  record TrainRequest(
      View view,
      int batch,
      int epochs,
      int steps,
      Optimizer optimizer,
      List<Proximal> proximal,
      List<Cosine> cosine,
      double lookahead,
      List<String> layers,
      long seed) {}

  /** The update rule and its settings. */
  record Optimizer(
      String rule,
      double learningRate,
      double weightDecay,
      double clip,
      double momentum,
      boolean nesterov,
      double firstDecay,
      double secondDecay,
      double epsilon) {}

  /** Term that penalizes the distance to a vector. */
  record Proximal(String anchor, double mu) {}

  /** Term that rewards the cosine with the direction to a vector. */
  record Cosine(String origin, String target, double lambda) {}

  /** The result of training. */
  record TrainReply(double loss, long samples) {}

  /** The result of an evaluation. */
  record EvaluateReply(int samples, double loss, double accuracy, List<Figure> errors) {}

  /** A named number. */
  record Figure(String name, double value) {}
}
