package io.kindred.protocol.overlay.membership;

/** The state that membership owns: the peer's, and that of one epoch. */
public record PeerMembership(LocalStatus local, MembershipState epoch) {}
