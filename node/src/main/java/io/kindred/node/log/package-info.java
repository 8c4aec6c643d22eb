/** The log of a node, for its operator. */
@NullMarked
package io.kindred.node.log;

import org.jspecify.annotations.NullMarked;
