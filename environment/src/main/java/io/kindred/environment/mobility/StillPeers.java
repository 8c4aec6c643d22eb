package io.kindred.environment.mobility;

import io.kindred.core.config.Named;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.radio.PeerPositions;

/** Peers stay where they are placed. */
@Named(value = "still", summary = "peers stay where they are placed")
public record StillPeers() implements Mobility {
  @Override
  public boolean moves() {
    return false;
  }

  @Override
  public Movement from(PeerPositions placed, double sideMetres, RandomStreams streams) {
    return seconds -> placed;
  }
}
