package io.kindred.environment.adversary;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.weights.Weights;
import java.util.Arrays;
import java.util.Optional;

/** Sends a model in which all weights are equal (Li et al., 2019, section 5, same-value attack). */
@Named(value = "constant", summary = "sends a model in which all weights are equal")
public record ConstantModel(
    @Setting(doc = "the value of every weight", fallback = "0.1", min = -1e6, max = 1e6)
        double value)
    implements Behaviour {
  @Override
  public Optional<ModelForgery> models(HostilePeer peer) {
    return Optional.of(
        (_, honest) -> {
          float[] values = new float[honest.size()];
          Arrays.fill(values, (float) value);
          return Weights.wrap(honest.layout(), values);
        });
  }
}
