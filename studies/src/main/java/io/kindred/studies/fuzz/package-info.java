/**
 * Searches for bugs by fault injection: runs many seeds of a scenario under every invariant
 * checker, and replays failures exactly.
 */
@NullMarked
package io.kindred.studies.fuzz;

import org.jspecify.annotations.NullMarked;
