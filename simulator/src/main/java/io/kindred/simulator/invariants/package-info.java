/**
 * What must hold at any moment of any run, whatever faults it has: one checker a file. Checkers see
 * what the simulator sees.
 */
@NullMarked
package io.kindred.simulator.invariants;

import org.jspecify.annotations.NullMarked;
