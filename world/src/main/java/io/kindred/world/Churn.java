package io.kindred.world;

/** How peers come and go; a record whose components are its settings. */
public interface Churn extends Disturbance {
  /** The same with whatever it has to read from files; refused where they say nonsense. */
  default Churn read(int peers, TextFiles files) {
    return this;
  }
}
