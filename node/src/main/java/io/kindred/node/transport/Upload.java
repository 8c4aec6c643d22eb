package io.kindred.node.transport;

import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.kindred.core.weights.Weights;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One message on its way out. A frame is made only when the connection can take it, so what waits
 * for a slow receiver is the vector itself, which is there anyway, and not copies of it.
 */
final class Upload implements ClientResponseObserver<byte[], byte[]> {
  private final byte[] header;
  private final Packing packing;
  private final List<Weights> vectors;
  private final LongConsumer framed;
  private final Consumer<Status> ended;
  private @Nullable ClientCallStreamObserver<byte[]> frames;
  private boolean begun;
  private boolean whole;
  private int vector;
  private int offset;

  /** Leaves out the first so many weights, tells of every frame's bytes, and how it ended. */
  Upload(
      byte[] header,
      Packing packing,
      List<Weights> vectors,
      long skipped,
      LongConsumer framed,
      Consumer<Status> ended) {
    this.header = header;
    this.packing = packing;
    this.vectors = List.copyOf(vectors);
    this.framed = framed;
    this.ended = ended;
    long left = skipped;
    while (vector < vectors.size() && left >= vectors.get(vector).size()) {
      left -= vectors.get(vector).size();
      vector++;
    }
    offset = vector < vectors.size() ? (int) left : 0;
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<byte[]> stream) {
    frames = stream;
    stream.setOnReadyHandler(this::pump);
  }

  private void pump() {
    ClientCallStreamObserver<byte[]> stream = frames;
    while (stream != null && stream.isReady() && !whole) {
      if (!begun) {
        begun = true;
        send(stream, header);
      } else if (vector < vectors.size()) {
        send(stream, nextChunk(vectors.get(vector)));
      }
      if (vector == vectors.size()) {
        whole = true;
        stream.onCompleted();
      }
    }
  }

  private void send(ClientCallStreamObserver<byte[]> stream, byte[] frame) {
    framed.accept(frame.length);
    stream.onNext(frame);
  }

  private byte[] nextChunk(Weights weights) {
    int count = Math.min(PostalService.CHUNK_BYTES / Float.BYTES, weights.size() - offset);
    byte[] chunk = packing.pack(weights.shared(), offset, count);
    offset += count;
    if (offset == weights.size()) {
      offset = 0;
      vector++;
    }
    return chunk;
  }

  @Override
  public void onNext(byte[] receipt) {}

  @Override
  public void onCompleted() {
    ended.accept(Status.OK);
  }

  @Override
  public void onError(Throwable failure) {
    ended.accept(Status.fromThrowable(failure));
  }
}
