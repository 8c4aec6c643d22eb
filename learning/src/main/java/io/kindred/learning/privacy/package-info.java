/**
 * Differential privacy of the weights that a peer sends: clipping, noise, and the privacy loss.
 * Pure, like all of learning; the random stream is passed in.
 */
@NullMarked
package io.kindred.learning.privacy;

import org.jspecify.annotations.NullMarked;
