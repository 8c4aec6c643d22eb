package io.kindred.learning.engine.jvm;

import static io.kindred.learning.engine.jvm.Lanes.BLOCK_SIZE;

import io.kindred.core.random.RandomStream;

/**
 * The sum of a path and its shortcut, value by value. Both get inputs of their own, because their
 * layers may write to what they are given and may need it unchanged in the backward pass.
 */
final class ResidualLayer implements JvmLayer {
  private final int inputs;
  private final int outputs;
  private final boolean needsInputGradient;
  private final LayerSequence path;
  private final LayerSequence shortcut;
  private float[] pathInput = {};
  private float[] shortcutInput = {};
  private float[] pathGradient = {};
  private float[] out = {};
  private float[] back = {};

  ResidualLayer(
      int inputs,
      int outputs,
      boolean needsInputGradient,
      LayerSequence path,
      LayerSequence shortcut) {
    this.inputs = inputs;
    this.outputs = outputs;
    this.needsInputGradient = needsInputGradient;
    this.path = path;
    this.shortcut = shortcut;
  }

  @Override
  public float[] forwardInference(float[] weights, float[] x, int samples) {
    copyInputs(x, samples);
    return sum(
        path.forwardInference(weights, pathInput, samples),
        shortcut.forwardInference(weights, shortcutInput, samples),
        samples);
  }

  @Override
  public float[] forwardTraining(float[] weights, float[] x, int samples, RandomStream noise) {
    copyInputs(x, samples);
    return sum(
        path.forwardTraining(weights, pathInput, samples, noise),
        shortcut.forwardTraining(weights, shortcutInput, samples, noise),
        samples);
  }

  private void copyInputs(float[] x, int samples) {
    int size = Lanes.blocks(samples) * inputs * BLOCK_SIZE;
    pathInput = Lanes.copy(x, size, pathInput);
    shortcutInput = Lanes.copy(x, size, shortcutInput);
  }

  private float[] sum(float[] ofPath, float[] ofShortcut, int samples) {
    int size = Lanes.blocks(samples) * outputs * BLOCK_SIZE;
    out = Lanes.copy(ofPath, size, out);
    Lanes.add(ofShortcut, size, out);
    return out;
  }

  @Override
  public float[] backward(float[] weights, float[] outputGradient, int samples, float[] gradient) {
    int blocks = Lanes.blocks(samples);
    pathGradient = Lanes.copy(outputGradient, blocks * outputs * BLOCK_SIZE, pathGradient);
    float[] ofPath = path.backward(weights, pathGradient, samples, gradient);
    float[] ofShortcut = shortcut.backward(weights, outputGradient, samples, gradient);
    if (needsInputGradient) {
      int size = blocks * inputs * BLOCK_SIZE;
      back = Lanes.copy(ofPath, size, back);
      Lanes.add(ofShortcut, size, back);
    }
    return back;
  }
}
