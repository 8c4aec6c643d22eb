/**
 * Experiments as files and as values: what can be configured, with which defaults, and what a grid
 * expands to.
 */
@NullMarked
package io.kindred.runtime.config;

import org.jspecify.annotations.NullMarked;
