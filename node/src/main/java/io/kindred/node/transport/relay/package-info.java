/** Delivers messages to nodes that no other node can connect to. */
@NullMarked
package io.kindred.node.transport.relay;

import org.jspecify.annotations.NullMarked;
