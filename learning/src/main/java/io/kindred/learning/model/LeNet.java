package io.kindred.learning.model;

import io.kindred.core.config.Named;
import io.kindred.learning.data.Dataset;

/**
 * The network that the hierarchical learning paper (table 13) trains on CIFAR-10, after LeCun's
 * LeNet-5: two 5x5 convolutions of 6 and 16 filters without padding, each with a rectifier and
 * pooling, dense layers of 120 and 84 units. 62,006 weights on 32x32x3 and ten classes.
 */
@Named(
    value = "lenet",
    summary = "two 5x5 convolutions of 6 and 16 filters with pooling, dense layers of 120 and 84")
public record LeNet() implements Model {
  @Override
  public Architecture sizedFor(Dataset dataset) {
    return ArchitectureBuilder.forPictures("lenet", dataset)
        .pooledConvolution("conv1", 6, 0)
        .pooledConvolution("conv2", 16, 0)
        .dense("fc1", 120)
        .relu()
        .dense("fc2", 84)
        .relu()
        .buildWithOutput("fc3");
  }
}
