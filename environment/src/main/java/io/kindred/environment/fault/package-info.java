/** Faults: crashes, partitions, lost and damaged messages, and the events that describe them. */
@NullMarked
package io.kindred.environment.fault;

import org.jspecify.annotations.NullMarked;
