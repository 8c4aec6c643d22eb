package io.kindred.environment.fault;

/** Which peers are up now, and how much of the time each device is available. */
public interface LivenessView {
  int peers();

  /** Whether a server takes part: it is the participant after all peers. */
  default boolean hasServer() {
    return false;
  }

  boolean isUp(int peer);

  /** Share of the time that the peer's device is online, between 0 and 1. */
  double availability(int peer);
}
