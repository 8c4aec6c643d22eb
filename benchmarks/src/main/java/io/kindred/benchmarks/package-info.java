/**
 * Measurements: never part of the default tests, never shipped. Speed is a ratio in one run against
 * a named reference.
 */
@NullMarked
package io.kindred.benchmarks;

import org.jspecify.annotations.NullMarked;
