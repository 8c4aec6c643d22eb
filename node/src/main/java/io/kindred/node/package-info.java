/**
 * The second shell: one peer in one process. It interprets the effects that the simulator
 * interprets in virtual time with a real clock, real connections and a real disk.
 */
@NullMarked
package io.kindred.node;

import org.jspecify.annotations.NullMarked;
