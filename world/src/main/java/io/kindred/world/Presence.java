package io.kindred.world;

/** Who is there right now. */
public interface Presence {
  int peers();

  boolean isUp(int peer);
}
