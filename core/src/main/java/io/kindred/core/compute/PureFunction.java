package io.kindred.core.compute;

/** A named record that computes something slow from its components alone. */
public interface PureFunction {
  Answer apply();

  /** Approximate number of arithmetic operations; it determines the virtual duration. */
  long operations();

  /** The result of a pure function: a named record. */
  interface Answer {}
}
