package io.kindred.learning.data;

/** What a data set asks of a model. */
public enum Task {
  /** To say which class a sample has: scores of classes, cross-entropy. */
  CLASSIFICATION,
  /** To say some numbers for each sample: mean squared error. */
  REGRESSION
}
