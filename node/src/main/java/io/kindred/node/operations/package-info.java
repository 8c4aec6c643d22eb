/** The endpoints where an operator's tools query the health and the metrics of a node. */
@NullMarked
package io.kindred.node.operations;

import org.jspecify.annotations.NullMarked;
