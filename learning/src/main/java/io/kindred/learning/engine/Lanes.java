package io.kindred.learning.engine;

import io.kindred.core.weights.Flat;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * How samples lie in memory between layers: in blocks of {@link Flat#LANES} samples, and in a block
 * feature after feature, each with the values of the block's samples side by side. Then every layer
 * runs along samples, which never mix, so a sum over inputs goes through them one after another and
 * its bits do not depend on the width of the hardware. The last block may have lanes without a
 * sample.
 */
final class Lanes {
  /** Samples in a block. */
  static final int COUNT = Flat.LANES;

  /** Never wider than a block, so that one register holds samples of one block only. */
  static final VectorSpecies<Float> SPECIES =
      FloatVector.SPECIES_PREFERRED.length() <= COUNT
          ? FloatVector.SPECIES_PREFERRED
          : FloatVector.SPECIES_512;

  /** Lanes of a register. */
  static final int WIDTH = SPECIES.length();

  /** Registers of a block. */
  static final int PARTS = COUNT / WIDTH;

  private Lanes() {}

  static int blocks(int samples) {
    return (samples + COUNT - 1) / COUNT;
  }

  /** Samples in one block: all its lanes, but for the last block. */
  static int filled(int block, int samples) {
    return Math.min(COUNT, samples - block * COUNT);
  }

  /** The place of a value in an array of blocks. */
  static int place(int sample, int feature, int features) {
    return (sample / COUNT * features + feature) * COUNT + sample % COUNT;
  }

  /** The array itself if it is long enough, or a new one of zeros. */
  static float[] atLeast(float[] scratch, int size) {
    return scratch.length >= size ? scratch : new float[size];
  }
}
