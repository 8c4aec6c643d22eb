package io.kindred.learning.model;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.learning.data.Dataset;
import java.util.ArrayList;
import java.util.List;

/** Dense layers with rectified linear units between them. */
@Named(value = "mlp", summary = "multi-layer perceptron with rectified linear units")
public record Mlp(
    @Setting(doc = "units of each hidden layer, in order", fallback = "[64]") List<Integer> hidden)
    implements Model {
  public Mlp {
    hidden = List.copyOf(hidden);
    for (int units : hidden) {
      if (units < 1) {
        throw new SettingException(
            "model.hidden", "a hidden layer has " + units + " units", "give each layer at least 1");
      }
    }
  }

  @Override
  public Architecture sizedFor(Dataset dataset) {
    List<LayerShape> layers = new ArrayList<>();
    int inputs = dataset.width();
    for (int i = 0; i < hidden.size(); i++) {
      layers.add(new LayerShape.Dense("hidden" + (i + 1), inputs, hidden.get(i)));
      layers.add(new LayerShape.Relu());
      inputs = hidden.get(i);
    }
    layers.add(new LayerShape.Dense("output", inputs, dataset.outputs()));
    return Architecture.forDataset(layers, dataset);
  }
}
