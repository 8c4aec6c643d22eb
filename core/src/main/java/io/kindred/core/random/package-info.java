/**
 * Random streams, each derived from its purpose, peer and counter and never from a shared
 * generator.
 */
@NullMarked
package io.kindred.core.random;

import org.jspecify.annotations.NullMarked;
