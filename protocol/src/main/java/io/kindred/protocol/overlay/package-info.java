/**
 * What the parts of the semantic overlay share: messages, settings, values and the events that
 * sub-protocols raise (SemanticDFL, sections 3.3 to 3.5, appendix B.2). Peers that know only their
 * neighbours form zones ({@code formation}), cluster their signatures and hold the clusters ({@code
 * clustering}), keep the zones alive ({@code membership}) and search the hierarchy ({@code
 * search}). Each of these sub-protocols owns its state and is a pure step; {@code machine} connects
 * them. A peer learns about other peers from messages only.
 */
@NullMarked
package io.kindred.protocol.overlay;

import org.jspecify.annotations.NullMarked;
