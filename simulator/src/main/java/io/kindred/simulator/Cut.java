package io.kindred.simulator;

import io.kindred.core.peer.Peer;
import io.kindred.core.peer.PeerState;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Weights;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.PeerStates;
import io.kindred.protocol.wire.Wire;
import io.kindred.protocol.wire.WireInput;
import io.kindred.protocol.wire.WireOutput;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A run between two events: what a checkpoint holds. Work under way is kept as its ticket and
 * computed again; each distinct weight vector is named by digest and kept once, beside.
 *
 * @param saved what each peer would find on its disk; nothing where it never saved
 */
public record Cut(Plain plain, List<PeerState> states, List<@Nullable PeerState> saved) {
  /** The parts whose types the codec can follow by itself. */
  record Plain(
      long tick,
      Digest trace,
      long events,
      SortedMap<Key, Pending> queue,
      SortedMap<Key, Pending> heldUp,
      List<Long> sequences,
      Traffic.Snapshot traffic,
      SortedMap<String, Long> counts,
      PeerTableState population,
      Roads.Snapshot roads,
      Barriers.Snapshot barriers,
      EnvironmentState nature,
      VirtualTime.Snapshot spent,
      long idleTurns) {}

  /** The bytes of a cut and the weights it names, each once. */
  public record Written(WireOutput bytes, SortedMap<Digest, Weights> weights) {}

  /** How many events had happened. */
  public long events() {
    return plain.events();
  }

  public Written write(Scene scene) {
    SortedMap<Digest, Weights> weights = new TreeMap<>();
    WireOutput out = new WireOutput(each -> weights.put(each.digest(), each));
    Wire wire = scene.wire();
    wire.write(Plain.class, plain, out);
    for (int i = 0; i < states.size(); i++) {
      Peer participant = scene.participants().get(i);
      PeerStates.write(wire, participant, states.get(i), out);
      @Nullable PeerState kept = saved.get(i);
      wire.write(boolean.class, kept != null, out);
      if (kept != null) {
        PeerStates.write(wire, participant, kept, out);
      }
    }
    return new Written(out, Collections.unmodifiableSortedMap(weights));
  }

  public static Cut read(
      Scene scene, byte[] bytes, Function<Digest, @Nullable Weights> weightsSource)
      throws MalformedException {
    WireInput in = new WireInput(bytes, weightsSource);
    Wire wire = scene.wire();
    Plain plain = (Plain) wire.read(Plain.class, in);
    List<PeerState> states = new ArrayList<>();
    List<@Nullable PeerState> saved = new ArrayList<>();
    for (Peer participant : scene.participants()) {
      states.add(PeerStates.read(wire, participant, in));
      saved.add(
          (Boolean) wire.read(boolean.class, in) ? PeerStates.read(wire, participant, in) : null);
    }
    if (in.remaining() > 0 || plain.sequences().size() != states.size() + 1) {
      throw new MalformedException("the cut belongs to another experiment");
    }
    return new Cut(plain, states, saved);
  }
}
