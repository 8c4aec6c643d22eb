/**
 * Partitions assign samples to peers: every partition is disjoint, ends, and explains why when a
 * request cannot be met.
 */
@NullMarked
package io.kindred.learning.partition;

import org.jspecify.annotations.NullMarked;
