/** Distributions of what a node's work takes, for monitoring. */
@NullMarked
package io.kindred.node.measure;

import org.jspecify.annotations.NullMarked;
