/** Faults: crashes, partitions, lost and damaged messages, and the events they become. */
@NullMarked
package io.kindred.environment.fault;

import org.jspecify.annotations.NullMarked;
