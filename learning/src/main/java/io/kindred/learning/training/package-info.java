/**
 * Opens tickets: brings a peer's data, an engine and a random stream together, and evaluates
 * predictors.
 */
@NullMarked
package io.kindred.learning.training;

import org.jspecify.annotations.NullMarked;
