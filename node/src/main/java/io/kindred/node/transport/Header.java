package io.kindred.node.transport;

import io.kindred.core.peer.Component;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Weights;
import io.kindred.node.identity.Member;
import io.kindred.node.identity.SignedAddress;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.Wire;
import io.kindred.protocol.wire.WireInput;
import io.kindred.protocol.wire.WireOutput;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The first frame of a message: its sender, the component that it is for, the encoded message, the
 * certificates that its election proofs are checked against, and the vectors that follow.
 */
public final class Header {
  /** A vector that follows in chunks; {@code bytes} is its unpacked size. */
  public record Blob(Digest digest, Digest layout, long bytes, Packing packing) {}

  /** A message has one proof. */
  private static final int MAX_CERTIFICATES = 1;

  private static final Wire WIRE = new Wire(List.of());

  private final int version;
  private final Optional<Digest> task;
  private final Member sender;
  private final Component component;
  private final byte[] message;
  private final List<X509Certificate> certificates;
  private final List<Blob> blobs;

  private Header(
      int version,
      Optional<Digest> task,
      Member sender,
      Component component,
      byte[] message,
      List<X509Certificate> certificates,
      List<Blob> blobs) {
    this.version = version;
    this.task = task;
    this.sender = sender;
    this.component = component;
    this.message = message;
    this.certificates = List.copyOf(certificates);
    this.blobs = List.copyOf(blobs);
  }

  /** The header of a message without election proofs. */
  public static Header of(
      Member sender, Component component, Wire.Encoded encoded, Packing packing) {
    return of(sender, component, encoded, List.of(), packing);
  }

  public static Header of(
      Member sender,
      Component component,
      Wire.Encoded encoded,
      List<X509Certificate> certificates,
      Packing packing) {
    List<Blob> blobs = new ArrayList<>();
    for (Weights each : encoded.weights()) {
      blobs.add(new Blob(each.digest(), Layouts.digest(each.layout()), each.bytes(), packing));
    }
    return new Header(
        WireVersions.SUPPORTED.newest(),
        Optional.empty(),
        sender,
        component,
        encoded.bytes(),
        certificates,
        blobs);
  }

  /** The same header in a version of the transport, with the task that this version names. */
  Header inVersion(int other, Optional<Digest> named) {
    return new Header(other, named, sender, component, message, certificates, blobs);
  }

  /** The version of the transport that the header is written in. */
  public int version() {
    return version;
  }

  /** Fingerprint of the sender's task; empty if it has named none, as in earlier versions. */
  public Optional<Digest> task() {
    return task;
  }

  public Member sender() {
    return sender;
  }

  public Component component() {
    return component;
  }

  /** The encoded message without its weights; a shared array that callers must not change. */
  public byte[] message() {
    return message;
  }

  public List<Blob> blobs() {
    return blobs;
  }

  /** Certificates of peers whose proofs the message has; their issuers are not checked. */
  public List<X509Certificate> certificates() {
    return certificates;
  }

  public boolean isSameAs(Header other) {
    return Arrays.equals(encode(), other.encode());
  }

  public byte[] encode() {
    WireOutput out = new WireOutput(weights -> {});
    out.writeByte(version);
    if (version >= WireVersions.WITH_TASK) {
      out.writeByte(task.isPresent() ? 1 : 0);
      task.ifPresent(each -> out.writeBytes(each.bytes()));
    }
    out.writeText(sender.network());
    out.writeLong(sender.peer().number());
    WIRE.write(Component.class, component, out);
    out.writeCount(message.length);
    out.writeBytes(message);
    out.writeCount(certificates.size());
    for (X509Certificate each : certificates) {
      SignedAddress.writeCertificate(each, out);
    }
    out.writeCount(blobs.size());
    for (Blob blob : blobs) {
      out.writeBytes(blob.digest().bytes());
      out.writeBytes(blob.layout().bytes());
      out.writeLong(blob.bytes());
      out.writeByte(blob.packing().code());
    }
    return out.toBytes();
  }

  /** A header of an earlier transport version, which is no offence of its sender. */
  public static final class OtherVersionException extends Exception {
    private static final long serialVersionUID = 1L;

    public OtherVersionException(int version, WireVersions spoken) {
      super(
          ("the message has version %d of the transport, but this node speaks versions %d to %d; run"
                  + " the same release on both nodes")
              .formatted(version, spoken.oldest(), spoken.newest()));
    }
  }

  public static Header decode(byte[] bytes) throws MalformedException, OtherVersionException {
    WireInput in = new WireInput(bytes, digest -> null);
    int version = in.readByte();
    WireVersions supported = WireVersions.SUPPORTED;
    if (version < 1 || version > supported.newest()) {
      throw new MalformedException(
          "the first byte names version %d of the transport, but this node knows versions 1 to %d"
              .formatted(version, supported.newest()));
    }
    if (version < supported.oldest()) {
      throw new OtherVersionException(version, supported);
    }
    Optional<Digest> task =
        version >= WireVersions.WITH_TASK && in.readByte() == 1
            ? Optional.of(Digest.ofHash(in.readBytes(Digest.BYTES)))
            : Optional.empty();
    String network = in.readText();
    long peer = in.readLong();
    if (!Member.isNetwork(network) || peer < 0) {
      throw new MalformedException("the sender is not a valid member");
    }
    Component component = (Component) WIRE.read(Component.class, in);
    if (component == Component.SHELL) {
      throw new MalformedException("the message is for the shell, which accepts no messages");
    }
    byte[] message = in.readBytes(in.readCount(1));
    List<X509Certificate> certificates = new ArrayList<>();
    int count = in.readCount(1);
    if (count > MAX_CERTIFICATES) {
      throw new MalformedException(count + " certificates in a header are too many");
    }
    for (int left = count; left > 0; left--) {
      certificates.add(SignedAddress.readCertificate(in));
    }
    List<Blob> blobs = new ArrayList<>();
    for (int left = in.readCount(2 * Digest.BYTES + 2); left > 0; left--) {
      Digest digest = Digest.ofHash(in.readBytes(Digest.BYTES));
      Digest layout = Digest.ofHash(in.readBytes(Digest.BYTES));
      long size = in.readLong();
      Packing packing = Packing.of(in.readByte());
      blobs.add(new Blob(digest, layout, size, packing));
    }
    if (in.remaining() > 0) {
      throw new MalformedException(in.remaining() + " bytes follow the header");
    }
    return new Header(
        version,
        task,
        new Member(network, new PeerId(peer)),
        component,
        message,
        certificates,
        blobs);
  }
}
