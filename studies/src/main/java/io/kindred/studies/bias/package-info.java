/**
 * What mixing with whoever is a neighbour does to peers in clusters (SemanticDFL, section 2.3 and
 * theorem 2), on losses simple enough to be solved exactly.
 */
@NullMarked
package io.kindred.studies.bias;

import org.jspecify.annotations.NullMarked;
