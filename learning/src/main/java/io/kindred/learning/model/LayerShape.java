package io.kindred.learning.model;

import java.util.List;

/**
 * The description of one layer of a model; engines compute it. Names and the order of blocks follow
 * PyTorch conventions, so that pre-trained files fit.
 */
public sealed interface LayerShape {
  /**
   * Fully connected, weights as rows of outputs ({@code outputs} x {@code inputs}), then a bias.
   */
  record Dense(String name, int inputs, int outputs) implements LayerShape {}

  /** min(6, max(0, x)), element by element. */
  record Relu6() implements LayerShape {}

  /** max(0, x), element by element. */
  record Relu() implements LayerShape {}

  /**
   * Square filters over a volume, weights as filters x channels x kernel x kernel, then an optional
   * bias.
   */
  record Convolution(
      String name, Volume input, int filters, int kernel, int stride, int padding, boolean bias)
      implements LayerShape {
    public Volume output() {
      return new Volume(filters, extent(input.height()), extent(input.width()));
    }

    private int extent(int from) {
      return (from + 2 * padding - kernel) / stride + 1;
    }

    /** Inputs of one output value. */
    public int fanIn() {
      return input.channels() * kernel * kernel;
    }

    /** The same convolution as one group. */
    public GroupedConvolution grouped() {
      return new GroupedConvolution(
          name,
          input,
          filters,
          GroupedConvolution.Extent.square(kernel),
          GroupedConvolution.Extent.square(stride),
          GroupedConvolution.Extent.square(padding),
          1,
          bias);
    }
  }

  /**
   * Filters whose height and width may differ, over a volume whose channels and filters are split
   * into groups: each group of filters sees its group of channels only. As many groups as channels
   * make a depthwise convolution, a volume of height one a convolution over time.
   */
  record GroupedConvolution(
      String name,
      Volume input,
      int filters,
      Extent kernel,
      Extent stride,
      Extent padding,
      int groups,
      boolean bias)
      implements LayerShape {
    /** A value for each of height and width. */
    public record Extent(int height, int width) {
      public static Extent square(int side) {
        return new Extent(side, side);
      }
    }

    public GroupedConvolution {
      if (input.channels() % groups != 0 || filters % groups != 0) {
        throw new IllegalArgumentException(
            name + ": " + groups + " groups of " + input.channels() + " channels, " + filters);
      }
    }

    public Volume output() {
      return new Volume(
          filters,
          (input.height() + 2 * padding.height - kernel.height) / stride.height + 1,
          (input.width() + 2 * padding.width - kernel.width) / stride.width + 1);
    }

    /** Filters of one group. */
    public int filtersPerGroup() {
      return filters / groups;
    }

    /** Values of a filter in one channel. */
    public int taps() {
      return kernel.height * kernel.width;
    }

    /** Channels that one filter sees. */
    public int depth() {
      return input.channels() / groups;
    }

    /** Inputs of one output value. */
    public int fanIn() {
      return depth() * taps();
    }
  }

  /** The largest value of each square window; positions outside the volume do not count. */
  record MaxPool(Volume input, int window, int stride, int padding) implements LayerShape {
    public Volume output() {
      return new Volume(input.channels(), extent(input.height()), extent(input.width()));
    }

    private int extent(int from) {
      return (from + 2 * padding - window) / stride + 1;
    }
  }

  /** The mean of each channel. */
  record AveragePool(Volume input) implements LayerShape {}

  /**
   * Normalizes each channel over the batch and its {@code area} positions, then scales and shifts
   * it. Its blocks are weight, bias, and the running mean and variance that evaluation uses; the
   * latter two are state without a gradient.
   */
  record BatchNorm(String name, int channels, int area) implements LayerShape {
    /** Weight of the newest batch in the running statistics; EPSILON keeps a variance from zero. */
    public static final double MOMENTUM = 0.1;

    public static final double EPSILON = 1e-5;
  }

  /**
   * In training each value is dropped with this probability and the others are scaled up to keep
   * the mean.
   */
  record Dropout(double share) implements LayerShape {}

  /** The sum of a path and its shortcut; an empty shortcut is the input itself. */
  record Residual(List<LayerShape> path, List<LayerShape> shortcut) implements LayerShape {
    public Residual {
      path = List.copyOf(path);
      shortcut = List.copyOf(shortcut);
    }
  }

  /** The channels of several branches, one after the other. */
  record Concatenation(List<List<LayerShape>> branches) implements LayerShape {
    public Concatenation {
      branches = branches.stream().map(List::copyOf).toList();
    }
  }

  /**
   * A text encoder after ALBERT (Lan et al., 2020). Its inputs are token ids, with zero for
   * padding; its output is the pooled state of the first token. Embeddings are narrow and one
   * matrix maps them to the hidden size; one transformer layer is applied several times with the
   * same weights.
   *
   * @param tokens token ids of a sample
   * @param positions most token ids that the position embeddings allow
   */
  record Encoder(
      String name,
      int tokens,
      int vocabulary,
      int positions,
      int embedding,
      int hidden,
      int intermediate,
      int heads,
      int depth)
      implements LayerShape {
    /** Keeps a variance from zero. */
    public static final double EPSILON = 1e-12;
  }

  /**
   * The cube root, which keeps the sign; it compresses inputs that fall with the third power of
   * distance.
   */
  record CubeRoot() implements LayerShape {}
}
