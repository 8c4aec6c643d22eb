package io.kindred.protocol.overlay.membership;

import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.overlay.ClusterReplica;
import io.kindred.protocol.overlay.KnownEpochs;
import io.kindred.protocol.overlay.StepView;
import io.kindred.protocol.signature.Signature;
import io.kindred.protocol.vrf.ElectionScore;
import java.util.Optional;
import java.util.SortedMap;

/**
 * What membership may read of other parts of the overlay.
 *
 * @param replicas the replicas of clusters that this peer holds
 * @param signature the peer's own signature
 * @param ownScore the peer's election score; absent where it joined after the elections
 */
public record MembershipView(
    StepView step,
    KnownEpochs epochs,
    SortedMap<ClusterId, ClusterReplica> replicas,
    Optional<Signature> signature,
    Optional<ElectionScore.ProvenScore> ownScore) {}
