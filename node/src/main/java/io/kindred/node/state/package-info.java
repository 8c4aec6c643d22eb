/** The state that a node keeps on disk between two incarnations. */
@NullMarked
package io.kindred.node.state;

import org.jspecify.annotations.NullMarked;
