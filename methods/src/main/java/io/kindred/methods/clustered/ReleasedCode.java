package io.kindred.methods.clustered;

import io.kindred.methods.contract.Training;
import io.kindred.methods.contract.TrainingBuilder;

/**
 * Where the code that the authors of FedSPD released differs from their algorithm 1, in numbers;
 * the rest is in {@link FedSpdAlgorithm}. The table in docs/reproduction/clustered.md lists all
 * differences.
 */
final class ReleasedCode {
  private static final double MOMENTUM = 0.5;
  private static final double DECAY = 0.8;
  private static final int DECAY_ROUNDS = 5;
  private static final int FINAL_DECAY_PASSES = 3;
  private static final int MATCHING_ROUNDS = 10;
  private static final int LEAST_SAMPLES = 10;

  private ReleasedCode() {}

  /** The momentum and the decay are constants of the code, so they replace the general ones. */
  static Training training(Training general) {
    return TrainingBuilder.from(general.withMomentum(MOMENTUM))
        .decay(DECAY)
        .decayEvery(DECAY_ROUNDS)
        .build();
  }

  /** The final phase counts in passes of as many epochs as a round has. */
  static FinalPhase finalPhase(Training general) {
    return new FinalPhase(general.learningRate() / 2, DECAY, FINAL_DECAY_PASSES * general.epochs());
  }

  /** Labels are matched after the averaging of rounds 1, 11, 21 and so on. */
  static boolean matchesAfter(int round) {
    return (round - 1) % MATCHING_ROUNDS == 0;
  }

  /**
   * A cluster of fewer than ten samples takes the last ten of the largest cluster, so that a
   * cluster drawn uniformly has samples to train on. Unlike in the code, the largest cluster keeps
   * ten.
   */
  static int[] withLeastSamples(int[] assigned, int slots) {
    int[] changed = assigned.clone();
    for (int slot = 0; slot < slots; slot++) {
      double[] shares = ModelSlots.shares(changed, slots);
      int largest = ModelSlots.largest(shares);
      if (count(changed, slot) < LEAST_SAMPLES && count(changed, largest) >= 2 * LEAST_SAMPLES) {
        moveLast(changed, largest, slot);
      }
    }
    return changed;
  }

  private static int count(int[] assigned, int slot) {
    int count = 0;
    for (int each : assigned) {
      count += each == slot ? 1 : 0;
    }
    return count;
  }

  private static void moveLast(int[] assigned, int from, int to) {
    int left = LEAST_SAMPLES;
    for (int sample = assigned.length - 1; sample >= 0 && left > 0; sample--) {
      if (assigned[sample] == from) {
        assigned[sample] = to;
        left--;
      }
    }
  }
}
