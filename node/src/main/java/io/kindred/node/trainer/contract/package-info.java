/**
 * The messages and methods of {@code trainer.proto}. The build generates the classes of this
 * package from that file; no class is written by hand.
 */
@NullMarked
package io.kindred.node.trainer.contract;

import org.jspecify.annotations.NullMarked;
