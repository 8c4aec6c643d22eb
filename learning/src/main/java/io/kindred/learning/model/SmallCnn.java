package io.kindred.learning.model;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.learning.data.Dataset;
import java.util.List;

/**
 * A network of three layers for MNIST, as pFedWN uses one (section V) without giving its sizes: two
 * padded 5x5 convolutions of 16 and 32 filters, each with a rectifier and pooling, and a dense
 * layer to the classes. 28,938 weights on 28x28x1 and ten classes.
 */
@Named(
    value = "small-cnn",
    summary = "two padded 5x5 convolutions with pooling and one dense layer")
public record SmallCnn(
    @Setting(doc = "filters of the two convolutions", fallback = "[16, 32]") List<Integer> filters)
    implements Model {
  public SmallCnn {
    filters = List.copyOf(filters);
    ArchitectureBuilder.requireSizes("model.filters", filters, 2);
  }

  @Override
  public Architecture sizedFor(Dataset dataset) {
    return ArchitectureBuilder.forPictures("small-cnn", dataset)
        .pooledConvolution("conv1", filters.get(0), 2)
        .pooledConvolution("conv2", filters.get(1), 2)
        .buildWithOutput("fc");
  }
}
