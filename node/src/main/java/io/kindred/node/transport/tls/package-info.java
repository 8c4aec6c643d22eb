/** Mutual TLS: key and trust managers, the handshake probe and the log of failed handshakes. */
@NullMarked
package io.kindred.node.transport.tls;

import org.jspecify.annotations.NullMarked;
