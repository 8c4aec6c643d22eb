/** Sends messages: connections, retries, resumed transfers and the address book. */
@NullMarked
package io.kindred.node.transport.outbound;

import org.jspecify.annotations.NullMarked;
