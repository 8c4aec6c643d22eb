package io.kindred.environment.radio;

import io.kindred.core.config.Named;
import java.util.OptionalDouble;

/** Gains that follow from the positions by the path loss of the channel. */
@Named(value = "computed", summary = "gains follow from the positions by channel.pathLoss")
public record ComputedGains() implements GainSource {
  @Override
  public OptionalDouble gain(double seconds, int from, int to) {
    return OptionalDouble.empty();
  }

  @Override
  public boolean varyOverTime() {
    return false;
  }
}
