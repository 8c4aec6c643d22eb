/** Similarity search over the overlay (SemanticDFL, sections 3.4 and 3.5). */
@NullMarked
package io.kindred.protocol.search;

import org.jspecify.annotations.NullMarked;
