/** How an operator's tools ask a node how it is. */
@NullMarked
package io.kindred.node.operations;

import org.jspecify.annotations.NullMarked;
