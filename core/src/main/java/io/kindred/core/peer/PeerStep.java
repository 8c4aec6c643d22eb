package io.kindred.core.peer;

import java.util.List;

/**
 * The result of one event for the whole stack: the new state and the effects for the shell, each
 * tagged with the machine that requests it.
 */
public record PeerStep(PeerState state, List<Tagged<Effect>> effects) {}
