package io.kindred.node.recording;

import io.kindred.core.peer.Component;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Peer;
import io.kindred.core.peer.PeerState;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Weights;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.PeerStateCodec;
import io.kindred.protocol.wire.Wire;
import io.kindred.protocol.wire.WireInput;
import io.kindred.storage.OperatorException;
import io.kindred.storage.disk.WeightsTable;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Feeds recorded events to a fresh peer and compares the effects with the recorded ones. All
 * recorded weights are kept in memory meanwhile.
 */
public final class Replay {
  /**
   * The result of a replay.
   *
   * @param events how many events were stepped
   * @param effects how many effects the peer had, all of them as recorded up to the difference
   * @param difference the first event whose effects differ from the recorded ones, if any
   */
  public record Outcome(long events, long effects, int incarnations, Optional<String> difference) {}

  private final Peer peer;
  private final Wire wire;
  private final Map<Digest, Weights> weights = new TreeMap<>();
  private @Nullable PeerState state;
  private long events;
  private long effects;
  private int incarnations;

  private Replay(Peer peer, Wire wire) {
    this.peer = peer;
    this.wire = wire;
  }

  /** Replays up to the first difference, or to the last complete frame. */
  public static Outcome of(Path file, Peer peer, Wire wire) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      if (!Frames.isRecording(channel)) {
        throw wrong(file + " is not a recording; name the events.rec of a node's folder");
      }
      return new Replay(peer, wire).run(channel);
    } catch (IOException e) {
      throw wrong(file + " cannot be read: " + e.getMessage());
    } catch (MalformedException e) {
      throw wrong(file + " does not belong to this experiment and peer: " + e.getMessage());
    }
  }

  private static OperatorException wrong(String line) {
    return new OperatorException(OperatorException.WRONG_USE, line);
  }

  private Outcome run(FileChannel channel) throws IOException, MalformedException {
    Optional<String> difference = Optional.empty();
    Optional<Frames.RecordedFrame> frame = Frames.next(channel);
    while (frame.isPresent() && difference.isEmpty()) {
      byte[] content = frame.get().content();
      switch (frame.get().kind()) {
        case INCARNATION -> beginIncarnation(new WireInput(content, weights::get));
        case WEIGHTS ->
            weights.putAll(
                WeightsTable.read(new DataInputStream(new ByteArrayInputStream(content))));
        case EVENT -> difference = step(new WireInput(content, weights::get));
      }
      frame = Frames.next(channel);
    }
    return new Outcome(events, effects, incarnations, difference);
  }

  private void beginIncarnation(WireInput in) throws MalformedException {
    incarnations++;
    state = in.readByte() == 1 ? PeerStateCodec.read(wire, peer, in) : peer.initial();
  }

  private Optional<String> step(WireInput in) throws MalformedException {
    PeerState before = state;
    if (before == null) {
      throw new MalformedException("an event precedes the first incarnation");
    }
    String component = in.readText();
    Event event = (Event) wire.read(Event.class, in);
    Digest recorded = Digest.ofHash(in.readBytes(Digest.BYTES));
    PeerStep step =
        component.isEmpty()
            ? peer.stepAll(before, event)
            : peer.step(before, component(component), event);
    state = step.state();
    events++;
    effects += step.effects().size();
    Digest replayed = Frames.digest(wire, step.effects());
    return replayed.equals(recorded)
        ? Optional.empty()
        : Optional.of(
            "event %d (%s): effects %s, but recorded are %s"
                .formatted(events, event.getClass().getSimpleName(), replayed, recorded));
  }

  private static Component component(String name) throws MalformedException {
    for (Component each : Component.values()) {
      if (each.recordedName().equals(name)) {
        return each;
      }
    }
    throw new MalformedException("no component " + name);
  }
}
