/**
 * Runs an experiment from its configuration to a run folder: assembly, recording, checkpoints,
 * resuming, and grids of runs.
 */
@NullMarked
package io.kindred.experiment;

import org.jspecify.annotations.NullMarked;
