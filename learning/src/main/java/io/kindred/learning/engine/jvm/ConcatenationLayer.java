package io.kindred.learning.engine.jvm;

import static io.kindred.learning.engine.jvm.Lanes.BLOCK_SIZE;

import io.kindred.core.random.RandomStream;
import java.util.List;

/** The outputs of several branches, one after the other; each branch gets inputs of its own. */
final class ConcatenationLayer implements JvmLayer {
  private final int inputs;
  private final int outputs;
  private final boolean needsInputGradient;
  private final List<LayerSequence> branches;
  private final float[][] branchInputs;
  private float[] branchGradient = {};
  private float[] out = {};
  private float[] back = {};

  ConcatenationLayer(int inputs, boolean needsInputGradient, List<LayerSequence> branches) {
    this.inputs = inputs;
    this.needsInputGradient = needsInputGradient;
    this.branches = List.copyOf(branches);
    outputs = branches.stream().mapToInt(LayerSequence::outputs).sum();
    branchInputs = new float[branches.size()][0];
  }

  @Override
  public float[] forwardInference(float[] weights, float[] x, int samples) {
    return concatenate(x, samples, (branch, own) -> branch.forwardInference(weights, own, samples));
  }

  @Override
  public float[] forwardTraining(float[] weights, float[] x, int samples, RandomStream noise) {
    return concatenate(
        x, samples, (branch, own) -> branch.forwardTraining(weights, own, samples, noise));
  }

  private interface Forward {
    float[] through(LayerSequence branch, float[] inputs);
  }

  private float[] concatenate(float[] x, int samples, Forward forward) {
    int blocks = Lanes.blocks(samples);
    out = Lanes.ensureCapacity(out, blocks * outputs * BLOCK_SIZE);
    int at = 0;
    for (int i = 0; i < branchInputs.length; i++) {
      LayerSequence branch = branches.get(i);
      branchInputs[i] = Lanes.copy(x, blocks * inputs * BLOCK_SIZE, branchInputs[i]);
      float[] result = forward.through(branch, branchInputs[i]);
      int size = branch.outputs() * BLOCK_SIZE;
      for (int block = 0; block < blocks; block++) {
        System.arraycopy(result, block * size, out, block * outputs * BLOCK_SIZE + at, size);
      }
      at += size;
    }
    return out;
  }

  @Override
  public float[] backward(float[] weights, float[] outputGradient, int samples, float[] gradient) {
    int blocks = Lanes.blocks(samples);
    int inputSize = blocks * inputs * BLOCK_SIZE;
    int at = 0;
    for (int i = 0; i < branchInputs.length; i++) {
      LayerSequence branch = branches.get(i);
      int size = branch.outputs() * BLOCK_SIZE;
      branchGradient = Lanes.ensureCapacity(branchGradient, blocks * size);
      for (int block = 0; block < blocks; block++) {
        int from = block * outputs * BLOCK_SIZE + at;
        System.arraycopy(outputGradient, from, branchGradient, block * size, size);
      }
      float[] ofBranch = branch.backward(weights, branchGradient, samples, gradient);
      if (needsInputGradient && i == 0) {
        back = Lanes.copy(ofBranch, inputSize, back);
      } else if (needsInputGradient) {
        Lanes.add(ofBranch, inputSize, back);
      }
      at += size;
    }
    return back;
  }
}
