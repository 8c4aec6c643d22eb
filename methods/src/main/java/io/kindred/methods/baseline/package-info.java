/**
 * The lower and the upper baseline of every comparison: training alone, and training on all data in
 * one place.
 */
@NullMarked
package io.kindred.methods.baseline;

import org.jspecify.annotations.NullMarked;
