package io.kindred.learning.model;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.learning.data.Dataset;

/**
 * SqueezeNet (Iandola et al., 2016), which the hierarchical learning paper (section 5.1) trains on
 * CIFAR-100: modules that squeeze channels with 1x1 filters and expand them with 1x1 and 3x3
 * filters side by side. {@code first} is the published network, {@code second} its revision 1.1,
 * both for 224x224 and named as in torchvision; {@code small} is the revision for 32x32, whose
 * first layer keeps the size and whose layers are normalized. The paper does not name its version.
 * Without the former change nothing is left of a 32x32 picture; without the latter little is
 * learnt.
 *
 * <p>Poolings round sizes down; torchvision rounds up, which makes a difference of one pixel in
 * some layers and none in weights.
 */
@Named(value = "squeezenet", summary = "modules that squeeze channels and expand them again")
public record SqueezeNet(
    @Setting(
            doc =
                "variant: first is version 1.0, second is version 1.1, small is 1.1 for 32x32"
                    + " pictures",
            fallback = "small")
        Version version,
    @Setting(
            doc = "share of values dropped before the last layer",
            fallback = "0.5",
            min = 0,
            max = 0.95)
        double dropout)
    implements Model {
  /** The version of the network. */
  public enum Version {
    FIRST,
    SECOND,
    SMALL
  }

  @Override
  public Architecture sizedFor(Dataset dataset) {
    ArchitectureBuilder builder = ArchitectureBuilder.forPictures("squeezenet", dataset);
    switch (version) {
      case FIRST -> {
        builder.convolution("features.0", 96, 7, 2, 0).relu().maxPool(3, 2, 0);
        fireModules(builder, 3, 16, 16, 32);
        builder.maxPool(3, 2, 0);
        fireModules(builder, 7, 32, 48, 48, 64);
        builder.maxPool(3, 2, 0);
        fireModules(builder, 12, 64);
      }
      case SECOND -> {
        builder.convolution("features.0", 64, 3, 2, 0).relu().maxPool(3, 2, 0);
        fireModules(builder, 3, 16, 16);
        builder.maxPool(3, 2, 0);
        fireModules(builder, 6, 32, 32);
        builder.maxPool(3, 2, 0);
        fireModules(builder, 9, 48, 48, 64, 64);
      }
      case SMALL -> {
        filters(builder, "features.0", 64, 3);
        builder.maxPool(2, 2, 0);
        fireModules(builder, 3, 16, 16);
        builder.maxPool(2, 2, 0);
        fireModules(builder, 6, 32, 32);
        builder.maxPool(2, 2, 0);
        fireModules(builder, 9, 48, 48, 64, 64);
      }
    }
    return builder
        .dropout(dropout)
        .convolution("classifier.1", dataset.outputs(), 1, 1, 0)
        .relu()
        .averagePool()
        .build();
  }

  /**
   * Adds fire modules with the given numbers of squeezed channels, numbered from {@code first} on.
   */
  private void fireModules(ArchitectureBuilder builder, int first, int... squeezed) {
    for (int i = 0; i < squeezed.length; i++) {
      String name = "features." + (first + i) + ".";
      int expanded = 4 * squeezed[i];
      filters(builder, name + "squeeze", squeezed[i], 1);
      ArchitectureBuilder narrow = builder.branch();
      ArchitectureBuilder wide = builder.branch();
      filters(narrow, name + "expand1x1", expanded, 1);
      filters(wide, name + "expand3x3", expanded, 3);
      builder.concatenation(narrow, wide);
    }
  }

  private void filters(ArchitectureBuilder builder, String name, int count, int kernel) {
    builder.convolution(name, count, kernel, 1, kernel / 2);
    if (version == Version.SMALL) {
      builder.batchNorm(name + ".norm");
    }
    builder.relu();
  }
}
