package io.kindred.core.compute;

/** A named record that knows how to compute something slow from its components alone. */
public interface PureFunction {
  Answer apply();

  /** Arithmetic operations, roughly: what the virtual duration follows from. */
  long operations();

  /** What a pure function gives back: a named record. */
  interface Answer {}
}
