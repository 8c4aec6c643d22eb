/**
 * What the simulator and a node share while peers run: the worker pool, the listener for
 * observations, progress, and the assembly of peers from an experiment.
 */
@NullMarked
package io.kindred.runtime;

import org.jspecify.annotations.NullMarked;
