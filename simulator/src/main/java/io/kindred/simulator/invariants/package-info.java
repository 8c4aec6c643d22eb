/**
 * What must hold at any moment of any run, whatever goes wrong in it: one checker a file. They see
 * what the simulator sees and know nothing of any method.
 */
@NullMarked
package io.kindred.simulator.invariants;

import org.jspecify.annotations.NullMarked;
