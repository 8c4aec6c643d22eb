package io.kindred.environment.fault;

/** Who is there right now, and how much of the time each device is there at all. */
public interface LivenessView {
  int peers();

  /** Whether one more takes part, after all peers: a server. */
  default boolean hasServer() {
    return false;
  }

  boolean isUp(int peer);

  /** Share of the time that the peer's device is there, between 0 and 1. */
  double availability(int peer);
}
