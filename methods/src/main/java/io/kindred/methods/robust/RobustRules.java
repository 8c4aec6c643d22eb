package io.kindred.methods.robust;

import io.kindred.core.config.Catalogue;
import java.util.List;

/** Every rule of mixing that an experiment file can name. */
public final class RobustRules {
  public static final Catalogue<RobustRule> ALL =
      new Catalogue<>(
          RobustRule.class,
          "rule of mixing",
          List.of(
              AsPublished.class,
              NormClip.class,
              CoordinateMedian.class,
              TrimmedMean.class,
              Krum.class,
              MultiKrum.class,
              GeometricMedian.class,
              CosineGate.class,
              HeldOutGate.class));

  private RobustRules() {}

  /** Records that a codec needs for any rule besides the state of {@link RobustMixing}. */
  public static List<Class<?>> records() {
    return List.of(MixRobustly.class, RobustMixture.class);
  }
}
