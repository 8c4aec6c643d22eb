package io.kindred.learning.model;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.learning.data.Dataset;
import java.util.List;

/**
 * The convolutional network of DFCA (appendix A.1) for EMNIST and CIFAR-10: two convolutions, each
 * followed by a rectifier, pooling and then a normalization. The paper does not give kernels,
 * filters and the layers after them: padded 5x5 kernels, 32 and 64 filters, and a dense layer
 * straight to the classes are our choice. (The paper's MNIST model is {@code mlp} with one hidden
 * layer of 2048 units.)
 */
@Named(
    value = "emnist-cnn",
    summary = "two padded 5x5 convolutions, each pooled and then normalized, and one dense layer")
public record EmnistCnn(
    @Setting(doc = "filters of the two convolutions", fallback = "[32, 64]") List<Integer> filters)
    implements Model {
  public EmnistCnn {
    filters = List.copyOf(filters);
    ArchitectureBuilder.requireSizes("model.filters", filters, 2);
  }

  @Override
  public Architecture sizedFor(Dataset dataset) {
    return ArchitectureBuilder.forPictures("emnist-cnn", dataset)
        .pooledConvolution("conv1", filters.get(0), 2)
        .batchNorm("bn1")
        .pooledConvolution("conv2", filters.get(1), 2)
        .batchNorm("bn2")
        .buildWithOutput("fc");
  }
}
