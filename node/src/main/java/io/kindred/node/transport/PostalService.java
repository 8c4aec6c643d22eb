package io.kindred.node.transport;

import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * The two calls there are: frames of a message one way, an empty answer back once all of it is
 * there and checked; and what one knows of addresses for what the other knows. Frames are bytes of
 * our own codec; gRPC adds streams, flow control and deadlines.
 */
final class PostalService {
  static final String NAME = "kindred.Post";

  /** How much of a vector one frame carries. */
  static final int CHUNK_BYTES = 1 << 18;

  /** A frame may be a header with many blobs or a long message without any. */
  static final int MOST_FRAME_BYTES = 1 << 23;

  static final byte[] RECEIPT = {};

  private static final MethodDescriptor.Marshaller<byte[]> BYTES =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
          return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
          try {
            return stream.readAllBytes();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  static final MethodDescriptor<byte[], byte[]> DELIVER =
      MethodDescriptor.<byte[], byte[]>newBuilder()
          .setType(MethodDescriptor.MethodType.CLIENT_STREAMING)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(NAME, "Deliver"))
          .setRequestMarshaller(BYTES)
          .setResponseMarshaller(BYTES)
          .build();

  static final MethodDescriptor<byte[], byte[]> ACQUAINT =
      MethodDescriptor.<byte[], byte[]>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(NAME, "Acquaint"))
          .setRequestMarshaller(BYTES)
          .setResponseMarshaller(BYTES)
          .build();

  private PostalService() {}
}
