/**
 * Differential privacy of what a peer sends: clipping, noise, and what the noise is worth. Pure, as
 * everything in learning; the random stream comes from outside.
 */
@NullMarked
package io.kindred.learning.privacy;

import org.jspecify.annotations.NullMarked;
