/**
 * A model's weights as one flat, immutable vector with a named layout, and the kernels that work on
 * it.
 */
@NullMarked
package io.kindred.core.weights;

import org.jspecify.annotations.NullMarked;
