package io.kindred.environment.device;

import io.kindred.core.random.RandomStreams;

/** Assigns a device to each peer; a record whose components are its settings. */
public interface DeviceModel {
  Device of(int peer, RandomStreams streams);

  /** The device of a server or coordinator. */
  Device server();

  /** The factor on the speed of a peer's device in an environment round. */
  default double speed(int peer, long round, RandomStreams streams) {
    return 1;
  }

  /** Whether speeds differ between environment rounds. */
  default boolean varyOverTime() {
    return false;
  }
}
