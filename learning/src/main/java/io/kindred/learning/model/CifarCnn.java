package io.kindred.learning.model;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.learning.data.Dataset;
import java.util.List;

/**
 * The convolutional network of FedSPD for CIFAR-10 and CIFAR-100 (appendix B.1.2): four
 * convolutions, two of kernel 5 and two of kernel 3, each normalized; pooling and dropout after the
 * second and the fourth; dense layers of 1024 and 512 units with normalization and dropout. The
 * paper does not give filters and dropout shares: 32, 32, 64, 64 and one quarter are our choice.
 * Rectifiers follow the normalization, dropout comes last.
 */
@Named(
    value = "cifar-cnn",
    summary = "four normalized convolutions with pooling and dropout, dense layers of 1024 and 512")
public record CifarCnn(
    @Setting(doc = "filters of the four convolutions", fallback = "[32, 32, 64, 64]")
        List<Integer> filters,
    @Setting(doc = "share of values dropped", fallback = "0.25", min = 0, max = 0.95)
        double dropout)
    implements Model {
  public CifarCnn {
    filters = List.copyOf(filters);
    ArchitectureBuilder.requireSizes("model.filters", filters, 4);
  }

  @Override
  public Architecture sizedFor(Dataset dataset) {
    ArchitectureBuilder builder = ArchitectureBuilder.forPictures("cifar-cnn", dataset);
    for (int i = 0; i < 4; i++) {
      int kernel = i < 2 ? 5 : 3;
      builder
          .convolution("conv" + (i + 1), filters.get(i), kernel, 1, kernel / 2)
          .batchNorm("bn" + (i + 1))
          .relu();
      if (i % 2 == 1) {
        builder.maxPool(2, 2, 0).dropout(dropout);
      }
    }
    return builder
        .dense("fc1", 1024)
        .batchNorm("bn5")
        .relu()
        .dropout(dropout)
        .dense("fc2", 512)
        .batchNorm("bn6")
        .relu()
        .dropout(dropout)
        .buildWithOutput("fc3");
  }
}
