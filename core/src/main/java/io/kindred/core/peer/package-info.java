/** The peer as a stack of deterministic machines: one event in, one list of effects out. */
@NullMarked
package io.kindred.core.peer;

import org.jspecify.annotations.NullMarked;
