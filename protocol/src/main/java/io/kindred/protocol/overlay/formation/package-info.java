/**
 * Zone formation: peers elect initiators, and form zones around them (SemanticDFL, algorithms 2 and
 * 3).
 */
@NullMarked
package io.kindred.protocol.overlay.formation;

import org.jspecify.annotations.NullMarked;
