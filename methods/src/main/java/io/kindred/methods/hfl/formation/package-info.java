/**
 * Cluster formation: clusters with short rounds whose direction is close to that of all clients,
 * found by swapping clients (Wu, Boban and Dressler, Hierarchical Federated Learning in
 * Device-to-Device Networks with Learning-Topology Co-Optimization, algorithms 2 and 3), and the
 * benchmarks that the paper compares with. Numbers in, numbers out: nothing here depends on peers
 * or messages.
 */
@NullMarked
package io.kindred.methods.hfl.formation;

import org.jspecify.annotations.NullMarked;
