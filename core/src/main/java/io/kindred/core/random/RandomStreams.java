package io.kindred.core.random;

/**
 * Derives every random stream of a run from its seed; any thread may derive any stream at any time.
 */
public record RandomStreams(long seed) {
  public RandomStream stream(StreamKey key) {
    long state = RandomStream.mix(seed + 0x9e3779b97f4a7c15L);
    state = RandomStream.mix(state ^ key.purpose().key());
    state = RandomStream.mix(state + 0xd1342543de82ef95L * (key.peer() + 1));
    state = RandomStream.mix(state + 0xaf251af3b0f025b5L * (key.counter() + 1));
    return new RandomStream(state);
  }

  public RandomStream stream(Purpose purpose, long peer, long counter) {
    return stream(new StreamKey(purpose, peer, counter));
  }
}
