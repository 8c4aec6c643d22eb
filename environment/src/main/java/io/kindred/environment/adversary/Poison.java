package io.kindred.environment.adversary;

/** What a hostile peer does to its training samples. */
public sealed interface Poison {
  /** The peer trains on false labels: class c of n becomes class n - 1 - c. */
  record FlippedLabels(boolean sharedSamples) implements Poison {}

  /**
   * The peer stamps a trigger on some of its samples and gives them the target class.
   *
   * @param share of the training samples that carry the trigger
   * @param side of the square in the lower right corner of a picture, in pixels; for samples that
   *     are no pictures the number of last features
   * @param value of the features of the trigger
   */
  record Trigger(int target, double share, int side, double value) implements Poison {}
}
