/**
 * The log of a node, for its operator. The code of the node logs through slf4j; {@link
 * io.kindred.node.log.LogOutput} lays out the lines of java.util.logging, which is the backend.
 */
@NullMarked
package io.kindred.node.log;

import org.jspecify.annotations.NullMarked;
