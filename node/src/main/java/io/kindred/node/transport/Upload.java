package io.kindred.node.transport;

import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.kindred.core.weights.Weights;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One message on its way out. A frame is made only when the connection can take it, so what waits
 * for a slow receiver is the vector itself, which is there anyway, and not copies of it.
 */
final class Upload implements ClientResponseObserver<byte[], byte[]> {
  private final byte[] header;
  private final List<Weights> vectors;
  private final Consumer<Optional<String>> ended;
  private final AtomicBoolean over = new AtomicBoolean();
  private @Nullable ClientCallStreamObserver<byte[]> frames;
  private boolean begun;
  private boolean whole;
  private int vector;
  private int offset;

  /** Tells once how it ended: with nothing, or with what went wrong. */
  Upload(byte[] header, List<Weights> vectors, Consumer<Optional<String>> ended) {
    this.header = header;
    this.vectors = List.copyOf(vectors);
    this.ended = ended;
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
        stream.onNext(header);
      } else if (vector < vectors.size()) {
        stream.onNext(nextChunk(vectors.get(vector)));
      }
      if (vector == vectors.size()) {
        whole = true;
        stream.onCompleted();
      }
    }
  }

  private byte[] nextChunk(Weights weights) {
    int count = Math.min(PostalService.CHUNK_BYTES / Float.BYTES, weights.size() - offset);
    ByteBuffer chunk = ByteBuffer.allocate(count * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    chunk.asFloatBuffer().put(weights.shared(), offset, count);
    offset += count;
    if (offset == weights.size()) {
      offset = 0;
      vector++;
    }
    return chunk.array();
  }

  @Override
  public void onNext(byte[] receipt) {}

  @Override
  public void onCompleted() {
    end(Optional.empty());
  }

  @Override
  public void onError(Throwable failure) {
    end(Optional.of(describe(Status.fromThrowable(failure))));
  }

  /** In one line: descriptions may hold whole stack traces. */
  static String describe(Status status) {
    String description = status.getDescription();
    return switch (status.getCode()) {
      case DEADLINE_EXCEEDED -> "nobody took it in time; is the node up, and its address right?";
      case UNAVAILABLE -> "the connection broke";
      default ->
          status.getCode()
              + (description == null ? "" : ": " + description.lines().findFirst().orElse(""));
    };
  }

  private void end(Optional<String> failure) {
    if (over.compareAndSet(false, true)) {
      ended.accept(failure);
    }
  }
}
