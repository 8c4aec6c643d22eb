package io.kindred.core.peer;

import java.util.List;

/**
 * What the whole stack answers to one event: what the shell has to do, each tagged with who wants
 * it.
 */
public record PeerStep(PeerState state, List<Tagged<Effect>> effects) {}
