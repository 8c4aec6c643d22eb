package io.kindred.node.transport.outbound;

import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.kindred.core.weights.Weights;
import io.kindred.node.transport.NodeRpc;
import io.kindred.node.transport.Packing;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The stream of one outbound message. A frame is created only when the connection can take it, so a
 * slow receiver delays the vector itself, which is in memory anyway, and causes no copies of it.
 */
final class OutboundStream implements ClientResponseObserver<byte[], byte[]> {
  private final byte[] header;
  private final Packing packing;
  private final List<Weights> vectors;
  private final LongConsumer frameBytesListener;
  private final Consumer<Status> endListener;
  private @Nullable ClientCallStreamObserver<byte[]> frames;
  private boolean headerSent;
  private boolean finished;
  private int vectorIndex;
  private int offset;

  /**
   * @param skipped number of weights that the receiver already has
   * @param frameBytesListener called with the bytes of every frame
   * @param endListener called with the final status
   */
  OutboundStream(
      byte[] header,
      Packing packing,
      List<Weights> vectors,
      long skipped,
      LongConsumer frameBytesListener,
      Consumer<Status> endListener) {
    this.header = header;
    this.packing = packing;
    this.vectors = List.copyOf(vectors);
    this.frameBytesListener = frameBytesListener;
    this.endListener = endListener;
    long left = skipped;
    while (vectorIndex < vectors.size() && left >= vectors.get(vectorIndex).size()) {
      left -= vectors.get(vectorIndex).size();
      vectorIndex++;
    }
    offset = vectorIndex < vectors.size() ? (int) left : 0;
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<byte[]> stream) {
    frames = stream;
    stream.setOnReadyHandler(this::sendWhileReady);
  }

  private void sendWhileReady() {
    ClientCallStreamObserver<byte[]> stream = frames;
    while (stream != null && stream.isReady() && !finished) {
      if (!headerSent) {
        headerSent = true;
        send(stream, header);
      } else if (vectorIndex < vectors.size()) {
        send(stream, nextChunk(vectors.get(vectorIndex)));
      }
      if (vectorIndex == vectors.size()) {
        finished = true;
        stream.onCompleted();
      }
    }
  }

  private void send(ClientCallStreamObserver<byte[]> stream, byte[] frame) {
    frameBytesListener.accept(frame.length);
    stream.onNext(frame);
  }

  private byte[] nextChunk(Weights weights) {
    int count = Math.min(NodeRpc.CHUNK_BYTES / Float.BYTES, weights.size() - offset);
    byte[] chunk = packing.pack(weights.shared(), offset, count);
    offset += count;
    if (offset == weights.size()) {
      offset = 0;
      vectorIndex++;
    }
    return chunk;
  }

  @Override
  public void onNext(byte[] receipt) {}

  @Override
  public void onCompleted() {
    endListener.accept(Status.OK);
  }

  @Override
  public void onError(Throwable failure) {
    endListener.accept(Status.fromThrowable(failure));
  }
}
