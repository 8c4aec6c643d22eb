/**
 * Methods in which each peer mixes its one model with its neighbours' models, and the mathematics
 * of the shares.
 */
@NullMarked
package io.kindred.methods.mixing;

import org.jspecify.annotations.NullMarked;
