package io.kindred.node.transport;

import io.kindred.core.peer.Component;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Weights;
import io.kindred.node.identity.Member;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.Wire;
import io.kindred.protocol.wire.WireInput;
import io.kindred.protocol.wire.WireOutput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The first frame of a message: who says what to which machine, and which weights follow. */
public final class Header {
  /** A vector that follows in chunks; its bytes are those of the vector, however it is packed. */
  public record Blob(Digest digest, Digest layout, long bytes, Packing packing) {}

  /** Says what and whose, as every node understands it. */
  private static final int PLAIN_VERSION = 1;

  /** Says also how vectors are packed; used where they are. */
  private static final int PACKED_VERSION = 2;

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

  public static Header of(
      Member sender, Component component, Wire.Encoded encoded, Packing packing) {
    List<Blob> blobs = new ArrayList<>();
    for (Weights each : encoded.weights()) {
      blobs.add(new Blob(each.digest(), Layouts.digest(each.layout()), each.bytes(), packing));
    }
    return new Header(sender, component, encoded.bytes(), blobs);
  }

  public Member sender() {
    return sender;
  }

  public Component component() {
    return component;
  }

  /** The message without its weights, shared: reading only. */
  public byte[] message() {
    return message;
  }

  public List<Blob> blobs() {
    return blobs;
  }

  public boolean isSameAs(Header other) {
    return Arrays.equals(encode(), other.encode());
  }

  public byte[] encode() {
    WireOutput out = new WireOutput(weights -> {});
    boolean packed = blobs.stream().anyMatch(blob -> blob.packing().code() != 0);
    out.writeByte(packed ? PACKED_VERSION : PLAIN_VERSION);
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
      if (packed) {
        out.writeByte(blob.packing().code());
      }
    }
    return out.toBytes();
  }

  /** A header of a node that is newer than this one, which is nobody's fault. */
  public static final class OtherVersionException extends Exception {
    private static final long serialVersionUID = 1L;

    OtherVersionException(String message) {
      super(message);
    }
  }

  public static Header decode(byte[] bytes) throws MalformedException, OtherVersionException {
    WireInput in = new WireInput(bytes, digest -> null);
    int version = in.readByte();
    if (version < PLAIN_VERSION || version > PACKED_VERSION) {
      throw new OtherVersionException(
          "version %d of the transport; this node knows %d to %d"
              .formatted(version, PLAIN_VERSION, PACKED_VERSION));
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
      long size = in.readLong();
      Packing packing = version == PLAIN_VERSION ? Packing.NONE : Packing.of(in.readByte());
      blobs.add(new Blob(digest, layout, size, packing));
    }
    if (in.remaining() > 0) {
      throw new MalformedException(in.remaining() + " bytes after the header");
    }
    return new Header(new Member(network, new PeerId(peer)), component, message, blobs);
  }
}
