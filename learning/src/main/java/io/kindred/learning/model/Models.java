package io.kindred.learning.model;

import io.kindred.core.config.Catalogue;
import java.util.List;

/** Every built-in model; a plugin may add more. */
public final class Models {
  public static final Catalogue<Model> ALL =
      new Catalogue<>(
          Model.class,
          "model",
          List.of(
              Softmax.class,
              Mlp.class,
              FmnistCnn.class,
              MnistCnn.class,
              CifarCnn.class,
              LeNet.class,
              MagnetMlp.class,
              SmallCnn.class,
              EmnistCnn.class,
              ResNet18.class,
              SqueezeNet.class,
              MobileNetV2.class,
              SensorCnn.class,
              Albert.class));

  private Models() {}
}
