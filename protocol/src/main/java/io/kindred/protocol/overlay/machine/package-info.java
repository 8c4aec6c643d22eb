/**
 * The overlay as a machine: it routes inputs and events to the sub-protocols, each of which owns
 * its state.
 */
@NullMarked
package io.kindred.protocol.overlay.machine;

import org.jspecify.annotations.NullMarked;
