/**
 * Who learns with whom: clusters that are fast inside and point where the whole points, found by
 * swapping clients (Wu, Boban and Dressler, Hierarchical Federated Learning in Device-to-Device
 * Networks with Learning-Topology Co-Optimization, algorithms 2 and 3), and what they compare with.
 * Numbers in, numbers out: nothing here knows of peers or messages.
 */
@NullMarked
package io.kindred.methods.hfl.formation;

import org.jspecify.annotations.NullMarked;
