package io.kindred.protocol.overlay.search;

import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.overlay.ClusterReplica;
import io.kindred.protocol.overlay.StepView;
import io.kindred.protocol.signature.Signature;
import java.util.Optional;
import java.util.SortedMap;

/**
 * What search may read of other parts of the overlay.
 *
 * @param replicas the replicas of clusters that this peer holds
 * @param homeCluster the peer's cluster on the lowest level
 * @param ready whether the peer has a home cluster and knows that the overlay is built
 * @param signature the peer's own signature
 */
public record SearchView(
    StepView step,
    SortedMap<ClusterId, ClusterReplica> replicas,
    Optional<ClusterReplica.ClusterPointer> homeCluster,
    boolean ready,
    Optional<Signature> signature) {}
