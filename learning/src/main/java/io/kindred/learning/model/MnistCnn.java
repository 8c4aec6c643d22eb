package io.kindred.learning.model;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.learning.data.Dataset;
import java.util.List;

/**
 * The convolutional network of FedSPD for MNIST (appendix B.1.1): two convolutions of kernel 5 and
 * padding 2, each with a rectifier and pooling, then dense layers with dropout. The paper does not
 * give the number of filters: 10 and 20 are those of the well-known MNIST example. The "dropout
 * layer of size 50" is read as a hidden layer of 50 units whose outputs are dropped with
 * probability one half.
 */
@Named(
    value = "mnist-cnn",
    summary = "two padded 5x5 convolutions with pooling, a dense layer of 50 with dropout")
public record MnistCnn(
    @Setting(doc = "filters of the two convolutions", fallback = "[10, 20]") List<Integer> filters,
    @Setting(doc = "share of hidden values dropped", fallback = "0.5", min = 0, max = 0.95)
        double dropout)
    implements Model {
  public MnistCnn {
    filters = List.copyOf(filters);
    ArchitectureBuilder.requireSizes("model.filters", filters, 2);
  }

  @Override
  public Architecture sizedFor(Dataset dataset) {
    return ArchitectureBuilder.forPictures("mnist-cnn", dataset)
        .pooledConvolution("conv1", filters.get(0), 2)
        .pooledConvolution("conv2", filters.get(1), 2)
        .dense("fc1", 50)
        .relu()
        .dropout(dropout)
        .buildWithOutput("fc2");
  }
}
