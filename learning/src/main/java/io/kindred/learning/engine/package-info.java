/**
 * Engines turn weights and samples into losses, gradients and new weights. The {@code jvm} engine
 * runs on the Vector API with a plain scalar reference beside each kernel.
 */
@NullMarked
package io.kindred.learning.engine;

import org.jspecify.annotations.NullMarked;
