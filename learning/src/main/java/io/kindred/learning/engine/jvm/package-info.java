/**
 * The engine on the Vector API: layers, matrix products and convolutions, bit-stable across
 * machines.
 */
@NullMarked
package io.kindred.learning.engine.jvm;

import org.jspecify.annotations.NullMarked;
