/**
 * The shell in virtual time: a queue of events in one fixed order, workers that compute tickets
 * while earlier times go on, and a trace hash over all that happened. One thread steps peers; only
 * {@code Workers} knows of others.
 */
@NullMarked
package io.kindred.simulator;

import org.jspecify.annotations.NullMarked;
