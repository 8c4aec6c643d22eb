/**
 * The parts of a simulation that a snapshot holds: queued events, bandwidth, partitions, traffic
 * and the tables of peers and environment.
 */
@NullMarked
package io.kindred.simulator.state;

import org.jspecify.annotations.NullMarked;
