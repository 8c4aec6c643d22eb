package io.kindred.learning.model;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.learning.data.Dataset;

/**
 * The perceptron that the hierarchical learning paper (table 14) trains to locate a magnet: the
 * cube root of the readings, because a dipole's field falls with the third power of distance, then
 * three hidden layers. With 48 readings and 6 outputs it has 8,505,350 weights. On the magnet data
 * set the outputs are the paper's position and direction.
 */
@Named(
    value = "magnet-mlp",
    summary = "cube root of the inputs, then three hidden layers of 2048 units")
public record MagnetMlp(
    @Setting(doc = "units of each hidden layer", fallback = "2048", min = 1, max = 65536) int units)
    implements Model {
  @Override
  public Architecture sizedFor(Dataset dataset) {
    return ArchitectureBuilder.forFeatures("magnet-mlp", dataset)
        .cubeRoot()
        .dense("fc1", units)
        .relu()
        .dense("fc2", units)
        .relu()
        .dense("fc3", units)
        .relu()
        .buildWithOutput("fc4");
  }
}
