package io.kindred.learning.engine.jvm;

import io.kindred.core.weights.VectorKernels;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The memory layout of samples between layers: blocks of {@link VectorKernels#LANES} samples, and
 * in a block feature after feature, each with the values of the block's samples side by side. Every
 * layer then runs along samples, which never mix, so a sum over inputs adds them one after another
 * and its bits do not depend on the width of the hardware. The last block may have lanes without a
 * sample.
 */
final class Lanes {
  /** Samples in a block. */
  static final int BLOCK_SIZE = VectorKernels.LANES;

  /** Never wider than a block, so that one register holds samples of one block only. */
  static final VectorSpecies<Float> SPECIES =
      FloatVector.SPECIES_PREFERRED.length() <= BLOCK_SIZE
          ? FloatVector.SPECIES_PREFERRED
          : FloatVector.SPECIES_512;

  /** Lanes of a register. */
  static final int VECTOR_WIDTH = SPECIES.length();

  /** Registers of a block. */
  static final int VECTORS_PER_BLOCK = BLOCK_SIZE / VECTOR_WIDTH;

  private Lanes() {}

  static int blocks(int samples) {
    return (samples + BLOCK_SIZE - 1) / BLOCK_SIZE;
  }

  /** The number of samples in one block; only the last block may have fewer than its lanes. */
  static int samplesInBlock(int block, int samples) {
    return Math.min(BLOCK_SIZE, samples - block * BLOCK_SIZE);
  }

  /** The index of a value in an array of blocks. */
  static int indexOf(int sample, int feature, int features) {
    return (sample / BLOCK_SIZE * features + feature) * BLOCK_SIZE + sample % BLOCK_SIZE;
  }

  /** The array itself if it is long enough, or a new one of zeros. */
  static float[] ensureCapacity(float[] scratch, int size) {
    return scratch.length >= size ? scratch : new float[size];
  }

  /** A copy of the first values, in the scratch array if it is long enough. */
  static float[] copy(float[] values, int size, float[] scratch) {
    float[] copy = ensureCapacity(scratch, size);
    System.arraycopy(values, 0, copy, 0, size);
    return copy;
  }

  /** Adds the first values to those of a sum; the size is a multiple of a block. */
  static void add(float[] values, int size, float[] sum) {
    for (int i = 0; i < size; i += VECTOR_WIDTH) {
      FloatVector.fromArray(SPECIES, sum, i)
          .add(FloatVector.fromArray(SPECIES, values, i))
          .intoArray(sum, i);
    }
  }
}
