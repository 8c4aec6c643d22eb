/**
 * Clusters inside a zone (SemanticDFL, section 3.3.2): affinity propagation over signatures, the
 * descriptor that a cluster publishes, and the choice of its replicas.
 */
@NullMarked
package io.kindred.protocol.clustering;

import org.jspecify.annotations.NullMarked;
