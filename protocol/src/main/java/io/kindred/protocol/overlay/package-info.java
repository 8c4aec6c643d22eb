/**
 * The semantic overlay as a machine (SemanticDFL, sections 3.3 to 3.5, appendix B.2): peers that
 * know only their neighbours elect initiators, form zones, cluster their signatures, build a
 * hierarchy of super-peers over them, and search it. A peer learns about other peers from messages
 * only.
 */
@NullMarked
package io.kindred.protocol.overlay;

import org.jspecify.annotations.NullMarked;
