/**
 * The shell in virtual time: a queue of events in one fixed order, workers that compute tickets
 * ahead of virtual time, and a trace hash over all events. One thread steps peers; only {@code
 * Workers} uses other threads.
 */
@NullMarked
package io.kindred.simulator;

import org.jspecify.annotations.NullMarked;
