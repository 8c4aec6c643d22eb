/** Search: queries through the hierarchy of super-peers (SemanticDFL, sections 3.4 and 3.5). */
@NullMarked
package io.kindred.protocol.overlay.search;

import org.jspecify.annotations.NullMarked;
