package io.kindred.learning.data;

/** What a model has to predict. */
public enum Task {
  /** The class of a sample: class scores, cross-entropy. */
  CLASSIFICATION,
  /** Target values of a sample: mean squared error. */
  REGRESSION
}
