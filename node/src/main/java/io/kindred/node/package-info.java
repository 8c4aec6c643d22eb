/**
 * The second shell: one peer in one process. It interprets the same effects as the simulator, but
 * with a real clock, real connections and a real disk instead of virtual time.
 */
@NullMarked
package io.kindred.node;

import org.jspecify.annotations.NullMarked;
