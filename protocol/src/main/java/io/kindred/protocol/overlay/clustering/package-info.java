/**
 * Clustering: settled zones are clustered, and super-peers hold replicas of the clusters
 * (SemanticDFL, sections 3.3.2 and 3.3.3).
 */
@NullMarked
package io.kindred.protocol.overlay.clustering;

import org.jspecify.annotations.NullMarked;
