/** Messages between nodes: gRPC over mutual TLS, and nothing in the clear. */
@NullMarked
package io.kindred.node.transport;

import org.jspecify.annotations.NullMarked;
