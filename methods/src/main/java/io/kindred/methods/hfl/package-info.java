/**
 * Hierarchical learning over links between devices (Wu, Boban and Dressler, Hierarchical Federated
 * Learning in Device-to-Device Networks with Learning-Topology Co-Optimization): a coordinator
 * forms clusters anew in every global round, heads average their members' models several times, the
 * coordinator averages the clusters.
 */
@NullMarked
package io.kindred.methods.hfl;

import org.jspecify.annotations.NullMarked;
