package io.kindred.environment.device;

import io.kindred.core.config.Catalogue;
import java.util.List;

/** The catalogue of {@link DeviceModel}. */
public final class DeviceModels {
  /** Every device model that an experiment file can name. */
  public static final Catalogue<DeviceModel> ALL =
      new Catalogue<>(
          DeviceModel.class,
          "kind of devices",
          List.of(
              AlikeDevices.class, VariedDevices.class, ClassedDevices.class, RangedDevices.class));

  private DeviceModels() {}
}
