package io.kindred.protocol.overlay.clustering;

/** The state that clustering owns: the peer's, and that of one epoch. */
public record PeerClustering(LocalSignature local, ClusteringState epoch) {}
