/** Messages between nodes: gRPC over mutual TLS; nothing is sent unencrypted. */
@NullMarked
package io.kindred.node.transport;

import org.jspecify.annotations.NullMarked;
