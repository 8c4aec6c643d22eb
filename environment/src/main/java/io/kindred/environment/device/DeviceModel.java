package io.kindred.environment.device;

import io.kindred.core.random.RandomStreams;

/** Says which device each peer has; a record whose components are its settings. */
public interface DeviceModel {
  Device of(int peer, RandomStreams streams);

  /** What a server or coordinator runs on: no better than a peer, unless told otherwise. */
  Device server();

  /** How many times as fast as its device a peer computes in a turn of the world. */
  default double speed(int peer, long round, RandomStreams streams) {
    return 1;
  }

  /** Whether speeds differ from turn to turn. */
  default boolean varyOverTime() {
    return false;
  }
}
