package io.kindred.learning.data;

/** The mean and deviation by which values were brought to mean zero and deviation one. */
public record FeatureScale(double mean, double deviation) {
  /** Leaves values as they are. */
  public static final FeatureScale NONE = new FeatureScale(0, 1);
}
