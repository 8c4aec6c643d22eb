/**
 * How much of whose model: methods on a graph that mix their one model with their neighbours', and
 * the mathematics of their shares.
 */
@NullMarked
package io.kindred.methods.mixing;

import org.jspecify.annotations.NullMarked;
