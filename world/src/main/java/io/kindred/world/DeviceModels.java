package io.kindred.world;

import io.kindred.core.settings.Catalogue;
import java.util.List;

/** The catalogue of {@link Devices}. */
public final class DeviceModels {
  /** Every way of handing out devices that an experiment file can name. */
  public static final Catalogue<Devices> ALL =
      new Catalogue<>(
          Devices.class,
          "kind of devices",
          List.of(
              AlikeDevices.class, VariedDevices.class, ClassedDevices.class, RangedDevices.class));

  private DeviceModels() {}
}
