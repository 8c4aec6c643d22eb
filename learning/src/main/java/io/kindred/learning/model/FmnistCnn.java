package io.kindred.learning.model;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.learning.data.Dataset;

/**
 * The convolutional network of SemanticDFL (section 5.1) for Fashion-MNIST: two 5x5 convolutions, a
 * dense layer of 512 units, the classes. The paper does not give filters (32 and 64), rectifiers
 * and pooling; these are the usual ones. Without padding it has 582,026 weights on 28x28x1 and ten
 * classes, which matches the paper's traffic; with padding 1,663,370.
 */
@Named(
    value = "fmnist-cnn",
    summary = "two 5x5 convolutions of 32 and 64 filters with pooling, a dense layer of 512")
public record FmnistCnn(
    @Setting(
            doc = "whether padding keeps the size of the picture in convolutions",
            fallback = "false")
        boolean padding)
    implements Model {
  @Override
  public Architecture sizedFor(Dataset dataset) {
    int border = padding ? 2 : 0;
    return ArchitectureBuilder.forPictures("fmnist-cnn", dataset)
        .pooledConvolution("conv1", 32, border)
        .pooledConvolution("conv2", 64, border)
        .dense("fc1", 512)
        .relu()
        .buildWithOutput("fc2");
  }
}
