/**
 * The wire codec: records to bytes and back, one canonical form for messages on the wire, events in
 * a trace and states in a checkpoint. The bytes name weights by digest; the weights themselves are
 * sent beside them.
 */
@NullMarked
package io.kindred.protocol.wire;

import org.jspecify.annotations.NullMarked;
