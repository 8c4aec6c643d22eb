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
 * The calls there are: frames of a message one way, an empty answer back once all of it is there
 * and checked; how much of a message is there whose connection broke; an answer to anything, by
 * which the way there is measured; and what one knows of addresses for what the other knows. Frames
 * are bytes of our own codec; gRPC adds streams, flow control and deadlines.
 */
public final class NodeRpc {
  public static final String NAME = "kindred.Post";

  /** How much of a vector one frame carries. */
  public static final int CHUNK_BYTES = 1 << 18;

  /** A frame may be a header with many blobs or a long message without any. */
  public static final int MAX_FRAME_BYTES = 1 << 23;

  /** What a connection may hold that nobody has read yet. */
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
            // gRPC knows how much there is; reading until there is no more copies it twice.
            byte[] bytes = new byte[stream.available()];
            int read = stream.readNBytes(bytes, 0, bytes.length);
            return read == bytes.length ? bytes : Arrays.copyOf(bytes, read);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  /** Bytes that are handed over in one piece rather than through a small buffer. */
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

  public static final MethodDescriptor<byte[], byte[]> EXCHANGE_ADDRESSES = unaryMethod("Acquaint");
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

  /** For whom a message is that somebody else hands on. */
  public static final Metadata.Key<String> RECEIVER =
      Metadata.Key.of("kindred-to", Metadata.ASCII_STRING_MARSHALLER);

  /** The sender's word for such a message. */
  public static final Metadata.Key<String> SIGNATURE =
      Metadata.Key.of("kindred-seal", Metadata.ASCII_STRING_MARSHALLER);

  /** What the sender calls a message, so that it counts once and can be gone on with. */
  public static final Metadata.Key<String> MESSAGE_ID =
      Metadata.Key.of("kindred-number", Metadata.ASCII_STRING_MARSHALLER);

  /** How many of its weights are left out, as they are there from an earlier try. */
  public static final Metadata.Key<String> RESUME_OFFSET =
      Metadata.Key.of("kindred-from", Metadata.ASCII_STRING_MARSHALLER);

  private NodeRpc() {}
}
