/**
 * Executes tickets: combines a peer's data, an engine and a random stream, and evaluates
 * predictors.
 */
@NullMarked
package io.kindred.learning.training;

import org.jspecify.annotations.NullMarked;
