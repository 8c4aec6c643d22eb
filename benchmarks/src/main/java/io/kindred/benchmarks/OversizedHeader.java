package io.kindred.benchmarks;

import io.kindred.core.peer.Component;
import io.kindred.core.weights.Weights;
import io.kindred.node.identity.Member;
import io.kindred.node.transport.Layouts;
import io.kindred.protocol.wire.Wire;
import io.kindred.protocol.wire.WireOutput;
import java.util.List;

/** A header whose vector is announced with a false size. */
final class OversizedHeader {
  private static final int WIRE_VERSION = 2;

  private OversizedHeader() {}

  static byte[] of(Member sender, Wire.Encoded encoded, Weights weights, long bytes) {
    WireOutput out = new WireOutput(each -> {});
    out.writeByte(WIRE_VERSION);
    out.writeText(sender.network());
    out.writeLong(sender.peer().number());
    new Wire(List.of()).write(Component.class, Component.METHOD, out);
    out.writeCount(encoded.bytes().length);
    out.writeBytes(encoded.bytes());
    out.writeCount(0);
    out.writeCount(1);
    out.writeBytes(weights.digest().bytes());
    out.writeBytes(Layouts.digest(weights.layout()).bytes());
    out.writeLong(bytes);
    out.writeByte(0);
    return out.toBytes();
  }
}
