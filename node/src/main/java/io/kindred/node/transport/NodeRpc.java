package io.kindred.node.transport;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * The calls between nodes. {@code Deliver} streams the frames of a message and returns an empty
 * receipt once the message is complete and checked. {@code Resume} returns how much of an
 * interrupted message the receiver has. {@code Echo} answers any bytes, to measure a link. {@code
 * ExchangeAddresses} swaps known addresses, {@code ExchangeRevocations} signed revocation lists.
 * {@code Collect} delivers relayed messages. Frames are bytes of our own codec; gRPC adds streams,
 * flow control and deadlines.
 */
public final class NodeRpc {
  public static final String NAME = "kindred.Node";

  /** Unpacked bytes of a vector in one frame. */
  public static final int CHUNK_BYTES = 1 << 18;

  /** A frame may be a header with many blobs or a long message without any. */
  public static final int MAX_FRAME_BYTES = 1 << 23;

  /** Bytes that a connection may buffer before they are read. */
  public static final int WINDOW_BYTES = 1 << 23;

  public static final byte[] RECEIPT = {};

  /** The reply to RESUME for a message that the receiver has completely. */
  public static final long ALL_THERE = -1;

  private static final MethodDescriptor.Marshaller<byte[]> BYTES_MARSHALLER =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
          return new Frame(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
          try {
            if (!(stream instanceof KnownLength)) {
              return stream.readAllBytes();
            }
            // gRPC knows the length; reading to the end of the stream would copy the bytes twice.
            byte[] bytes = new byte[stream.available()];
            int read = stream.readNBytes(bytes, 0, bytes.length);
            return read == bytes.length ? bytes : Arrays.copyOf(bytes, read);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  /** Bytes that are written in one piece rather than through a small buffer. */
  private static final class Frame extends ByteArrayInputStream implements Drainable, KnownLength {
    Frame(byte[] bytes) {
      super(bytes);
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
      int left = available();
      transferTo(target);
      return left;
    }
  }

  public static final MethodDescriptor<byte[], byte[]> DELIVER =
      MethodDescriptor.<byte[], byte[]>newBuilder()
          .setType(MethodDescriptor.MethodType.CLIENT_STREAMING)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(NAME, "Deliver"))
          .setRequestMarshaller(BYTES_MARSHALLER)
          .setResponseMarshaller(BYTES_MARSHALLER)
          .build();

  public static final MethodDescriptor<byte[], byte[]> EXCHANGE_ADDRESSES =
      unaryMethod("ExchangeAddresses");
  public static final MethodDescriptor<byte[], byte[]> EXCHANGE_REVOCATIONS =
      unaryMethod("ExchangeRevocations");

  /** Exchanges the tasks of two nodes whose fingerprints differ. */
  public static final MethodDescriptor<byte[], byte[]> COMPARE_TASKS = unaryMethod("CompareTasks");

  public static final MethodDescriptor<byte[], byte[]> RESUME = unaryMethod("Resume");
  public static final MethodDescriptor<byte[], byte[]> ECHO = unaryMethod("Echo");

  private static MethodDescriptor<byte[], byte[]> unaryMethod(String name) {
    return MethodDescriptor.<byte[], byte[]>newBuilder()
        .setType(MethodDescriptor.MethodType.UNARY)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(NAME, name))
        .setRequestMarshaller(BYTES_MARSHALLER)
        .setResponseMarshaller(BYTES_MARSHALLER)
        .build();
  }

  public static final MethodDescriptor<byte[], byte[]> COLLECT =
      MethodDescriptor.<byte[], byte[]>newBuilder()
          .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(NAME, "Collect"))
          .setRequestMarshaller(BYTES_MARSHALLER)
          .setResponseMarshaller(BYTES_MARSHALLER)
          .build();

  /** The receiver of a relayed message. */
  public static final Metadata.Key<String> RECEIVER =
      Metadata.Key.of("kindred-receiver", Metadata.ASCII_STRING_MARSHALLER);

  /** The sender's signature of a relayed message. */
  public static final Metadata.Key<String> SIGNATURE =
      Metadata.Key.of("kindred-signature", Metadata.ASCII_STRING_MARSHALLER);

  /** The sender's id of a message, for deduplication and for resumed transfers. */
  public static final Metadata.Key<String> MESSAGE_ID =
      Metadata.Key.of("kindred-message-id", Metadata.ASCII_STRING_MARSHALLER);

  /** Number of weights that are left out, as the receiver has them from an earlier attempt. */
  public static final Metadata.Key<String> RESUME_OFFSET =
      Metadata.Key.of("kindred-offset", Metadata.ASCII_STRING_MARSHALLER);

  private NodeRpc() {}
}
