package io.kindred.learning.model;

/** One layer of a model, described; engines know how to compute it. */
public sealed interface LayerShape {
  /**
   * Fully connected, weights as rows of outputs ({@code outputs} x {@code inputs}), then a bias.
   */
  record Dense(String name, int inputs, int outputs) implements LayerShape {}

  /** max(0, x), element by element. */
  record Relu() implements LayerShape {}
}
