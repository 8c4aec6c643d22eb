package io.kindred.learning.model;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.model.LayerShape.GroupedConvolution.Extent;

/**
 * MobileNet-v2 (Sandler et al., 2018, table 2), which FedSPD (appendix B.2.7) trains on CIFAR:
 * blocks that expand channels, filter each by itself and reduce them again, with a shortcut where
 * sizes allow. Names are those of torchvision. The small stem leaves out the first two halvings of
 * the size, the usual adaptation to 32x32 pictures; weights are the same.
 */
@Named(value = "mobilenet-v2", summary = "inverted residuals with depthwise convolutions")
public record MobileNetV2(
    @Setting(doc = "variant: small for 32x32 pictures, large for 224x224", fallback = "small")
        Stem stem,
    @Setting(
            doc = "share of values dropped before the last layer",
            fallback = "0.2",
            min = 0,
            max = 0.95)
        double dropout)
    implements Model {
  /** How early the picture size is halved. */
  public enum Stem {
    SMALL,
    LARGE
  }

  private static final int FIRST = 32;
  private static final int LAST = 1280;

  /** Expansion, channels, blocks and stride of each stage. */
  private static final int[][] STAGES = {
    {1, 16, 1, 1},
    {6, 24, 2, 2},
    {6, 32, 3, 2},
    {6, 64, 4, 2},
    {6, 96, 3, 1},
    {6, 160, 3, 2},
    {6, 320, 1, 1}
  };

  @Override
  public Architecture sizedFor(Dataset dataset) {
    ArchitectureBuilder builder = ArchitectureBuilder.forPictures("mobilenet-v2", dataset);
    boolean small = stem == Stem.SMALL;
    filters(builder, "features.0", FIRST, 3, small ? 1 : 2);
    int number = 1;
    for (int stage = 0; stage < STAGES.length; stage++) {
      int[] sizes = STAGES[stage];
      for (int block = 0; block < sizes[2]; block++) {
        boolean halves = block == 0 && sizes[3] == 2 && !(small && stage == 1);
        addBlock(builder, "features." + number++ + ".conv.", sizes[0], sizes[1], halves ? 2 : 1);
      }
    }
    filters(builder, "features." + number, LAST, 1, 1);
    return builder.averagePool().dropout(dropout).buildWithOutput("classifier.1");
  }

  private static void filters(
      ArchitectureBuilder builder, String name, int count, int kernel, int stride) {
    builder
        .convolution(name + ".0", count, kernel, stride, kernel / 2, false)
        .batchNorm(name + ".1")
        .relu6();
  }

  private static void addBlock(
      ArchitectureBuilder builder, String name, int widening, int channels, int stride) {
    int before = builder.volume().channels();
    ArchitectureBuilder path = builder.branch();
    int part = 0;
    if (widening > 1) {
      filters(path, name + part++, widening * before, 1, 1);
    }
    String filtered = name + part++;
    path.groupedConvolution(
            filtered + ".0",
            widening * before,
            Extent.square(3),
            Extent.square(stride),
            widening * before,
            false)
        .batchNorm(filtered + ".1")
        .relu6()
        .convolution(name + part, channels, 1, 1, 0, false)
        .batchNorm(name + (part + 1));
    if (stride == 1 && before == channels) {
      builder.residual(path, builder.branch());
    } else {
      builder.append(path);
    }
  }
}
