/**
 * The effect of mixing with graph neighbours on clustered peers (SemanticDFL, section 2.3 and
 * theorems 1 and 2), for losses simple enough to be solved exactly.
 */
@NullMarked
package io.kindred.studies.bias;

import org.jspecify.annotations.NullMarked;
