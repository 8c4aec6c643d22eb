/**
 * The wire codec: records to bytes and back, one canonical form for messages on the wire, events in
 * a trace and states in a checkpoint. Weights are named by digest and travel beside the bytes.
 */
@NullMarked
package io.kindred.protocol.wire;

import org.jspecify.annotations.NullMarked;
