package io.kindred.learning.model;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.learning.data.Dataset;

/**
 * The residual network of 18 layers (He, Zhang, Ren and Sun, 2016, table 1), which SemanticDFL
 * (section 5.1), pFedWN (section V) and the hierarchical learning paper (section 5.1) train, with a
 * first layer to suit the size of the pictures. Names are those of torchvision, so its files fit.
 *
 * <p>On 32x32x3 and ten classes the small stem gives the well-known 11,173,962 trained weights.
 * Running means and variances, 9,600 more, are part of the same vector and are sent with it, but
 * have no gradient.
 */
@Named(value = "resnet-18", summary = "residual network of 18 layers")
public record ResNet18(
    @Setting(
            doc =
                "variant of the first layer: small for 32x32 pictures, medium for 64x64, large"
                    + " for 224x224",
            fallback = "small")
        Stem stem)
    implements Model {
  /** The layers before the residual blocks. */
  public enum Stem {
    /** 3x3 filters and no pooling: pictures keep their size. */
    SMALL,
    /** 3x3 filters and pooling: half the size, the usual adaptation to Tiny ImageNet. */
    MEDIUM,
    /** 7x7 filters with stride 2 and pooling: a quarter of the size, as in the original. */
    LARGE
  }

  private static final int WIDTH = 64;
  private static final int STAGES = 4;
  private static final int BLOCKS = 2;

  @Override
  public Architecture sizedFor(Dataset dataset) {
    ArchitectureBuilder builder = ArchitectureBuilder.forPictures("resnet-18", dataset);
    switch (stem) {
      case SMALL, MEDIUM -> builder.convolution("conv1", WIDTH, 3, 1, 1, false);
      case LARGE -> builder.convolution("conv1", WIDTH, 7, 2, 3, false);
    }
    builder.batchNorm("bn1").relu();
    if (stem != Stem.SMALL) {
      builder.maxPool(3, 2, 1);
    }
    for (int stage = 0; stage < STAGES; stage++) {
      for (int block = 0; block < BLOCKS; block++) {
        boolean shrinks = stage > 0 && block == 0;
        String name = "layer" + (stage + 1) + "." + block;
        addBlock(builder, name, WIDTH << stage, shrinks ? 2 : 1);
      }
    }
    return builder.averagePool().buildWithOutput("fc");
  }

  private static void addBlock(ArchitectureBuilder builder, String name, int filters, int stride) {
    ArchitectureBuilder path =
        builder
            .branch()
            .convolution(name + ".conv1", filters, 3, stride, 1, false)
            .batchNorm(name + ".bn1")
            .relu()
            .convolution(name + ".conv2", filters, 3, 1, 1, false)
            .batchNorm(name + ".bn2");
    ArchitectureBuilder shortcut = builder.branch();
    if (stride > 1) {
      shortcut
          .convolution(name + ".downsample.0", filters, 1, stride, 0, false)
          .batchNorm(name + ".downsample.1");
    }
    builder.residual(path, shortcut).relu();
  }
}
