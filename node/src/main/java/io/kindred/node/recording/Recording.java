package io.kindred.node.recording;

import io.kindred.core.peer.Component;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Peer;
import io.kindred.core.peer.PeerState;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Weights;
import io.kindred.protocol.wire.PeerStateCodec;
import io.kindred.protocol.wire.Wire;
import io.kindred.protocol.wire.WireOutput;
import io.kindred.storage.OperatorException;
import io.kindred.storage.disk.WeightsTable;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Records every event of a peer with the digest of its effects, over all incarnations of its node.
 */
public final class Recording implements AutoCloseable {
  private final FileChannel channel;
  private final Peer peer;
  private final Wire wire;
  private final SortedSet<Digest> writtenDigests = new TreeSet<>();

  /** Appends after the last complete frame of the file, or creates the file. */
  public Recording(Path file, Peer peer, Wire wire) throws IOException {
    this.peer = peer;
    this.wire = wire;
    channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    if (channel.size() < Frames.magic().remaining()) {
      channel.truncate(0);
      write(Frames.magic());
      return;
    }
    if (!Frames.isRecording(channel)) {
      channel.close();
      throw new OperatorException(
          OperatorException.WRONG_USE, file + " is not a recording; move the file away");
    }
    boolean whole = true;
    while (whole) {
      whole = Frames.next(channel).isPresent();
    }
    channel.truncate(channel.position());
  }

  /** Records the start of an incarnation, with the state that it found on disk, if any. */
  public void beginIncarnation(Optional<PeerState> found) {
    WireOutput out = new WireOutput(this::writeWeightsOnce);
    out.writeByte(found.isPresent() ? 1 : 0);
    found.ifPresent(state -> PeerStateCodec.write(wire, peer, state, out));
    append(Frames.Kind.INCARNATION, out.toBytes());
  }

  /**
   * Records an event and the digest of its effects. Without a component, the event is for all
   * machines of the peer.
   */
  public void recordStep(@Nullable Component component, Event event, PeerStep step) {
    WireOutput out = new WireOutput(this::writeWeightsOnce);
    out.writeText(component == null ? "" : component.recordedName());
    wire.write(Event.class, event, out);
    out.writeBytes(Frames.digest(wire, step.effects()).bytes());
    append(Frames.Kind.EVENT, out.toBytes());
  }

  private void writeWeightsOnce(Weights weights) {
    if (!writtenDigests.add(weights.digest())) {
      return;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      WeightsTable.write(new DataOutputStream(bytes), List.of(weights));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    append(Frames.Kind.WEIGHTS, bytes.toByteArray());
  }

  private void append(Frames.Kind kind, byte[] content) {
    try {
      write(Frames.frame(kind, content));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the recording", e);
    }
  }

  private void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  @Override
  public void close() throws IOException {
    channel.force(true);
    channel.close();
  }
}
