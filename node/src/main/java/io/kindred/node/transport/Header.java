package io.kindred.node.transport;

import io.kindred.core.Component;
import io.kindred.core.PeerId;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Weights;
import io.kindred.node.identity.Member;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.Wire;
import io.kindred.protocol.wire.WireInput;
import io.kindred.protocol.wire.WireOutput;
import java.util.ArrayList;
import java.util.List;

/** The first frame of a message: who says what to which machine, and which weights follow. */
final class Header {
  /** A vector that follows in chunks. */
  record Blob(Digest digest, Digest layout, long bytes) {}

  private static final int VERSION = 1;
  private static final Wire WIRE = new Wire(List.of());

  private final Member sender;
  private final Component component;
  private final byte[] message;
  private final List<Blob> blobs;

  private Header(Member sender, Component component, byte[] message, List<Blob> blobs) {
    this.sender = sender;
    this.component = component;
    this.message = message;
    this.blobs = List.copyOf(blobs);
  }

  static Header of(Member sender, Component component, Wire.Encoded encoded) {
    List<Blob> blobs = new ArrayList<>();
    for (Weights each : encoded.weights()) {
      blobs.add(new Blob(each.digest(), Layouts.digest(each.layout()), each.bytes()));
    }
    return new Header(sender, component, encoded.bytes(), blobs);
  }

  Member sender() {
    return sender;
  }

  Component component() {
    return component;
  }

  /** The message without its weights, shared: reading only. */
  byte[] message() {
    return message;
  }

  List<Blob> blobs() {
    return blobs;
  }

  byte[] encode() {
    WireOutput out = new WireOutput(weights -> {});
    out.writeByte(VERSION);
    out.writeText(sender.network());
    out.writeLong(sender.peer().number());
    WIRE.write(Component.class, component, out);
    out.writeCount(message.length);
    out.writeBytes(message);
    out.writeCount(blobs.size());
    for (Blob blob : blobs) {
      out.writeBytes(blob.digest().bytes());
      out.writeBytes(blob.layout().bytes());
      out.writeLong(blob.bytes());
    }
    return out.toBytes();
  }

  static Header decode(byte[] bytes) throws MalformedException {
    WireInput in = new WireInput(bytes, digest -> null);
    int version = in.readByte();
    if (version != VERSION) {
      throw new MalformedException("version " + version + " of the transport, not " + VERSION);
    }
    String network = in.readText();
    long peer = in.readLong();
    if (!Member.isNetwork(network) || peer < 0) {
      throw new MalformedException("a sender that cannot be a member");
    }
    Component component = (Component) WIRE.read(Component.class, in);
    if (component == Component.SHELL) {
      throw new MalformedException("a message for the shell, which takes none");
    }
    byte[] message = in.readBytes(in.readCount(1));
    List<Blob> blobs = new ArrayList<>();
    for (int left = in.readCount(2 * Digest.BYTES + 1); left > 0; left--) {
      Digest digest = Digest.ofHash(in.readBytes(Digest.BYTES));
      Digest layout = Digest.ofHash(in.readBytes(Digest.BYTES));
      blobs.add(new Blob(digest, layout, in.readLong()));
    }
    if (in.remaining() > 0) {
      throw new MalformedException(in.remaining() + " bytes after the header");
    }
    return new Header(new Member(network, new PeerId(peer)), component, message, blobs);
  }
}
