/**
 * Engines turn weights and samples into losses, gradients and new weights. The {@code jvm} engine
 * runs on the Vector API and has a plain scalar reference for each kernel.
 */
@NullMarked
package io.kindred.learning.engine;

import org.jspecify.annotations.NullMarked;
