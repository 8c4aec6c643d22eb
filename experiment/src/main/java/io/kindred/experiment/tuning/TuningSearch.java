package io.kindred.experiment.tuning;

/** How a tuning chooses the settings that it tries. */
public enum TuningSearch {
  /** Each try draws all settings. */
  RANDOM,
  /** The tries are points of a grid. */
  GRID
}
