package io.kindred.learning.model;

import io.kindred.core.config.Named;
import io.kindred.learning.data.Dataset;
import java.util.List;

/**
 * Multinomial logistic regression: one dense layer. On regression data sets it is linear
 * regression.
 */
@Named(value = "softmax", summary = "softmax regression: one dense layer from inputs to classes")
public record Softmax() implements Model {
  @Override
  public Architecture sizedFor(Dataset dataset) {
    return Architecture.forDataset(
        List.of(new LayerShape.Dense("output", dataset.width(), dataset.outputs())), dataset);
  }
}
