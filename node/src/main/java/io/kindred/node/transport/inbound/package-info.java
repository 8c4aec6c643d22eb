/** Receives messages: authentication, limits, partial messages and their memory budget. */
@NullMarked
package io.kindred.node.transport.inbound;

import org.jspecify.annotations.NullMarked;
