/**
 * Looks for bugs by letting everything go wrong: many seeds of a scenario under every checker, and
 * the exact replay of whatever was found.
 */
@NullMarked
package io.kindred.studies.fuzz;

import org.jspecify.annotations.NullMarked;
