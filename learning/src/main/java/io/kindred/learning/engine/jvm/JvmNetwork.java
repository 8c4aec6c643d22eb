package io.kindred.learning.engine.jvm;

import io.kindred.core.random.RandomStream;
import io.kindred.learning.engine.Batch;
import io.kindred.learning.engine.Engine;
import io.kindred.learning.engine.SampleRows;
import io.kindred.learning.engine.ScoreRow;
import io.kindred.learning.model.Architecture;

/** Layers in order, followed by the loss. */
final class JvmNetwork {
  private final LayerSequence layers;
  private final int inputs;
  private final int outputs;
  private final InputBlocks input;
  private final ScoreRow scoreRow;
  private int loadedSamples;
  private float[] loadedInputs = {};
  private float[] scores = {};
  private float[] scoreGradient = {};

  JvmNetwork(Architecture architecture) {
    inputs = architecture.inputs();
    outputs = architecture.outputs();
    input = new InputBlocks(inputs);
    scoreRow = ScoreRow.of(architecture);
    layers = new LayerSequence(architecture.layers(), 0, inputs, false, input);
    if (layers.outputs() != outputs) {
      throw new IllegalArgumentException(
          "the layers produce " + layers.outputs() + " outputs, but " + outputs + " are required");
    }
  }

  /** Loads rows {@code from} to {@code to}, in their own order, for any number of evaluations. */
  void load(SampleRows rows, int from, int to) {
    loadedSamples = to - from;
    float[] into = input.prepare(loadedSamples);
    for (int row = from; row < to; row++) {
      rows.copyFeatures(row, into, (row - from) * inputs);
    }
    loadedInputs = layers.untrained(input.blocks(loadedSamples), loadedSamples);
  }

  /** Computes the scores of the loaded rows. */
  void evaluate(float[] weights) {
    scores = layers.trained(weights, loadedInputs, loadedSamples);
  }

  /** The scores of a row in the last forward pass; valid until the next call. */
  ScoreRow scoresOf(int row) {
    return scoreRow.read(scores, Lanes.indexOf(row, 0, outputs), Lanes.BLOCK_SIZE);
  }

  /** As {@link Engine#lossAndGradient}. */
  double gradient(float[] weights, Batch batch, float[] gradient, RandomStream noise) {
    int samples = batch.size();
    float[] into = input.prepare(samples);
    for (int s = 0; s < samples; s++) {
      batch.copyFeatures(s, into, s * inputs);
    }
    scores = layers.forwardTraining(weights, input.blocks(samples), samples, noise);
    double lossSum = scoreGradients(batch);
    layers.backward(weights, scoreGradient, samples, gradient);
    return lossSum;
  }

  private double scoreGradients(Batch batch) {
    int samples = batch.size();
    int lanes = Lanes.blocks(samples) * Lanes.BLOCK_SIZE;
    scoreGradient = Lanes.ensureCapacity(scoreGradient, lanes * outputs);
    double scale = 1.0 / batch.size();
    double lossSum = 0;
    for (int s = 0; s < samples; s++) {
      double weight = batch.weight(s);
      ScoreRow row = scoresOf(s);
      lossSum += weight * row.loss(batch.rows(), batch.row(s));
      for (int o = 0; o < outputs; o++) {
        scoreGradient[Lanes.indexOf(s, o, outputs)] = (float) (row.gradient(o) * weight * scale);
      }
    }
    for (int s = samples; s < lanes; s++) {
      for (int o = 0; o < outputs; o++) {
        scoreGradient[Lanes.indexOf(s, o, outputs)] = 0;
      }
    }
    return lossSum;
  }
}
