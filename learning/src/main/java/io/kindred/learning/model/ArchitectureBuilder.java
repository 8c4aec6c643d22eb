package io.kindred.learning.model;

import io.kindred.core.config.SettingException;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.model.LayerShape.GroupedConvolution.Extent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Builds an architecture layer by layer and tracks the sizes between them. A data set that the
 * model cannot take is refused with an explanation at the first layer that it does not fit.
 */
public final class ArchitectureBuilder {
  private final String model;
  private final Dataset dataset;
  private final List<LayerShape> layers = new ArrayList<>();
  private Volume volume;

  private ArchitectureBuilder(String model, Dataset dataset, Volume volume) {
    this.model = model;
    this.dataset = dataset;
    this.volume = volume;
  }

  /** Starts from pictures: the data set must have channels, height and width. */
  public static ArchitectureBuilder forPictures(String model, Dataset dataset) {
    List<Integer> shape = dataset.shape();
    if (shape.size() != 3) {
      throw new SettingException(
          "model",
          model + " takes pictures, but a sample of " + dataset.name() + " has the shape " + shape,
          "choose a model for plain features, such as mlp or softmax, or a data set of"
              + " pictures");
    }
    return new ArchitectureBuilder(
        model, dataset, new Volume(shape.get(0), shape.get(1), shape.get(2)));
  }

  /** Starts from plain features, whatever their shape. */
  public static ArchitectureBuilder forFeatures(String model, Dataset dataset) {
    return new ArchitectureBuilder(model, dataset, new Volume(dataset.width(), 1, 1));
  }

  /** Refuses a list of settings, such as filters, that does not have one number for each layer. */
  public static void requireSizes(String path, List<Integer> sizes, int count) {
    if (sizes.size() != count || sizes.stream().anyMatch(size -> size < 1)) {
      throw new SettingException(
          path,
          sizes + " does not give " + count + " positive numbers",
          "give exactly " + count + ", one for each layer");
    }
  }

  public Volume volume() {
    return volume;
  }

  public ArchitectureBuilder convolution(
      String name, int filters, int kernel, int stride, int padding) {
    return convolution(name, filters, kernel, stride, padding, true);
  }

  public ArchitectureBuilder convolution(
      String name, int filters, int kernel, int stride, int padding, boolean bias) {
    requireFits(name, kernel, padding);
    LayerShape.Convolution layer =
        new LayerShape.Convolution(name, volume, filters, kernel, stride, padding, bias);
    layers.add(layer);
    volume = layer.output();
    return this;
  }

  /**
   * A convolution with groups of channels, whose kernel and stride may differ in height and width.
   */
  public ArchitectureBuilder groupedConvolution(
      String name, int filters, Extent kernel, Extent stride, int groups, boolean bias) {
    Extent padding = new Extent(kernel.height() / 2, kernel.width() / 2);
    LayerShape.GroupedConvolution layer =
        new LayerShape.GroupedConvolution(
            name, volume, filters, kernel, stride, padding, groups, bias);
    layers.add(layer);
    volume = layer.output();
    return this;
  }

  public ArchitectureBuilder maxPool(int window, int stride, int padding) {
    requireFits("a pooling layer", window, padding);
    LayerShape.MaxPool layer = new LayerShape.MaxPool(volume, window, stride, padding);
    layers.add(layer);
    volume = layer.output();
    return this;
  }

  /**
   * The standard block of convolutional networks: a 5x5 convolution, a rectifier, 2x2 max pooling.
   */
  public ArchitectureBuilder pooledConvolution(String name, int filters, int padding) {
    return convolution(name, filters, 5, 1, padding).relu().maxPool(2, 2, 0);
  }

  private void requireFits(String name, int window, int padding) {
    if (volume.height() + 2 * padding < window || volume.width() + 2 * padding < window) {
      throw new SettingException(
          "model",
          model
              + (" cannot take pictures of " + dataset.shape() + ", which " + dataset.name())
              + (" has: " + name + " needs " + window + "x" + window)
              + (", but only " + volume.height() + "x" + volume.width() + " is left"),
          "choose a data set with larger pictures, or a model for small ones, such as"
              + " mlp or small-cnn");
    }
  }

  /** The mean of each channel. */
  public ArchitectureBuilder averagePool() {
    layers.add(new LayerShape.AveragePool(volume));
    volume = new Volume(volume.channels(), 1, 1);
    return this;
  }

  public ArchitectureBuilder relu6() {
    layers.add(new LayerShape.Relu6());
    return this;
  }

  public ArchitectureBuilder relu() {
    layers.add(new LayerShape.Relu());
    return this;
  }

  public ArchitectureBuilder batchNorm(String name) {
    layers.add(new LayerShape.BatchNorm(name, volume.channels(), volume.area()));
    return this;
  }

  /** Adds no layer if the share is zero. */
  public ArchitectureBuilder dropout(double share) {
    if (share > 0) {
      layers.add(new LayerShape.Dropout(share));
    }
    return this;
  }

  public ArchitectureBuilder cubeRoot() {
    layers.add(new LayerShape.CubeRoot());
    return this;
  }

  /** Adds a dense layer on all current values as one row. */
  public ArchitectureBuilder dense(String name, int outputs) {
    layers.add(new LayerShape.Dense(name, volume.size(), outputs));
    volume = new Volume(outputs, 1, 1);
    return this;
  }

  /**
   * An empty builder that starts from the current volume: the path or the shortcut of a residual.
   */
  public ArchitectureBuilder branch() {
    return new ArchitectureBuilder(model, dataset, volume);
  }

  /** Appends all layers of a branch. */
  public ArchitectureBuilder append(ArchitectureBuilder branch) {
    layers.addAll(branch.layers);
    volume = branch.volume;
    return this;
  }

  /** The sum of two branches. An empty shortcut is the input itself. */
  public ArchitectureBuilder residual(ArchitectureBuilder path, ArchitectureBuilder shortcut) {
    if (!path.volume.equals(shortcut.volume)) {
      throw new IllegalArgumentException(
          "a path of " + path.volume + " cannot be added to a shortcut of " + shortcut.volume);
    }
    layers.add(new LayerShape.Residual(path.layers, shortcut.layers));
    volume = path.volume;
    return this;
  }

  /** Concatenates the channels of branches, which must agree in height and width. */
  public ArchitectureBuilder concatenation(ArchitectureBuilder... branches) {
    int channels = 0;
    for (ArchitectureBuilder branch : branches) {
      if (branch.volume.height() != branches[0].volume.height()
          || branch.volume.width() != branches[0].volume.width()) {
        throw new IllegalArgumentException(
            branch.volume + " cannot be concatenated with " + branches[0].volume);
      }
      channels += branch.volume.channels();
    }
    layers.add(
        new LayerShape.Concatenation(
            Arrays.stream(branches).map(branch -> List.copyOf(branch.layers)).toList()));
    volume = new Volume(channels, branches[0].volume.height(), branches[0].volume.width());
    return this;
  }

  /** Reads the values as token ids. */
  public ArchitectureBuilder encoder(LayerShape.Encoder encoder) {
    layers.add(encoder);
    volume = new Volume(encoder.hidden(), 1, 1);
    return this;
  }

  /** Ends the model with the current values as its outputs. */
  public Architecture build() {
    if (volume.size() != dataset.outputs()) {
      throw new IllegalArgumentException(
          volume + " outputs do not fit: " + dataset.outputs() + " values are required");
    }
    return Architecture.forDataset(layers, dataset);
  }

  /** Ends the model with a dense layer that has the data set's outputs. */
  public Architecture buildWithOutput(String name) {
    dense(name, dataset.outputs());
    return Architecture.forDataset(layers, dataset);
  }
}
