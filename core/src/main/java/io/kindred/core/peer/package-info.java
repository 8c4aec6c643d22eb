/**
 * The deterministic core of a peer: events, effects, messages, observations, machines and the peer
 * itself, all without IO.
 *
 * <p>A {@link Peer} is a stack of {@link Machine}s. It takes one {@link Event} and returns its new
 * state and a list of {@link Effect}s, which a shell interprets. Peers exchange {@link Message}s;
 * the machines of one peer exchange {@link LocalMessage}s. {@link Observation}s report what a peer
 * does and never influence it.
 */
@NullMarked
package io.kindred.core.peer;

import org.jspecify.annotations.NullMarked;
