/**
 * The algorithms, one file each with both halves: what a peer computes and how it merges what it
 * hears. A method is a record of its parameters that makes the machines of a peer; there is no base
 * class that owns the loop.
 */
@NullMarked
package io.kindred.methods.contract;

import org.jspecify.annotations.NullMarked;
