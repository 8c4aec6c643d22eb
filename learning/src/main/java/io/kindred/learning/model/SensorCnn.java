package io.kindred.learning.model;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.model.LayerShape.GroupedConvolution.Extent;
import java.util.List;

/**
 * A convolutional network over time for sensors, such as the nine channels of a smartphone in UCI
 * HAR: filters slide along the steps, every layer but the first halves their number, and the output
 * layer takes the mean over the remaining steps. The sizes are our choice; no paper prescribes
 * them.
 */
@Named(value = "sensor-cnn", summary = "convolutions over time for sensor data, then their mean")
public record SensorCnn(
    @Setting(doc = "filters of the layers, in order", fallback = "[32, 64, 64]")
        List<Integer> filters,
    @Setting(doc = "time steps that a filter covers", fallback = "9", min = 1, max = 999)
        int kernel,
    @Setting(
            doc = "share of values dropped before the last layer",
            fallback = "0.3",
            min = 0,
            max = 0.95)
        double dropout)
    implements Model {
  public SensorCnn {
    filters = List.copyOf(filters);
    if (filters.isEmpty() || filters.stream().anyMatch(count -> count < 1)) {
      throw new SettingException(
          "filters",
          filters + " does not describe any layers",
          "give at least one layer, and each at least 1 filter");
    }
    if (kernel % 2 == 0) {
      throw new SettingException(
          "kernel", "a filter of " + kernel + " steps has no centre", "choose an odd number");
    }
  }

  @Override
  public Architecture sizedFor(Dataset dataset) {
    ArchitectureBuilder builder = ArchitectureBuilder.forPictures("sensor-cnn", dataset);
    if (builder.volume().height() != 1) {
      throw new SettingException(
          "model",
          "sensor-cnn takes channels over time, but a sample of "
              + (dataset.name() + " has the shape " + dataset.shape()),
          "choose a data set of sensors, such as uci-har, or a model for pictures");
    }
    for (int i = 0; i < filters.size(); i++) {
      builder
          .groupedConvolution(
              "conv" + (i + 1),
              filters.get(i),
              new Extent(1, kernel),
              new Extent(1, i == 0 ? 1 : 2),
              1,
              true)
          .relu();
    }
    return builder.averagePool().dropout(dropout).buildWithOutput("fc");
  }
}
