package io.kindred.simulator;

import io.kindred.core.peer.Layer;
import io.kindred.core.peer.Peer;
import io.kindred.core.peer.PeerState;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Weights;
import io.kindred.protocol.wire.MalformedException;
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
 */
public record Cut(
    long tick,
    Digest trace,
    long events,
    SortedMap<Key, Pending> queue,
    List<PeerState> states,
    List<Long> sequences,
    Traffic.Snapshot traffic,
    SortedMap<String, Long> counts) {
  /** The parts whose types the codec can follow by itself. */
  record Plain(
      long tick,
      Digest trace,
      long events,
      SortedMap<Key, Pending> queue,
      List<Long> sequences,
      Traffic.Snapshot traffic,
      SortedMap<String, Long> counts) {}

  /** The bytes of a cut and the weights it names, each once. */
  public record Written(WireOutput bytes, SortedMap<Digest, Weights> weights) {}

  public Written write(Scene scene) {
    SortedMap<Digest, Weights> weights = new TreeMap<>();
    WireOutput out = new WireOutput(each -> weights.put(each.digest(), each));
    Wire wire = scene.wire();
    wire.write(Plain.class, new Plain(tick, trace, events, queue, sequences, traffic, counts), out);
    for (int i = 0; i < states.size(); i++) {
      List<Layer<?>> layers = scene.participants().get(i).layers();
      for (int l = 0; l < layers.size(); l++) {
        wire.write(layers.get(l).stateType(), states.get(i).layers().get(l), out);
      }
    }
    return new Written(out, Collections.unmodifiableSortedMap(weights));
  }

  public static Cut read(
      Scene scene, byte[] bytes, Function<Digest, @Nullable Weights> weightsSource)
      throws MalformedException {
    WireInput in = new WireInput(bytes, weightsSource);
    Plain plain = (Plain) scene.wire().read(Plain.class, in);
    List<PeerState> states = new ArrayList<>();
    for (Peer participant : scene.participants()) {
      List<Object> layers = new ArrayList<>();
      for (Layer<?> layer : participant.layers()) {
        layers.add(scene.wire().read(layer.stateType(), in));
      }
      states.add(new PeerState(layers));
    }
    if (in.remaining() > 0 || plain.sequences().size() != states.size()) {
      throw new MalformedException("the cut belongs to another experiment");
    }
    return new Cut(
        plain.tick(),
        plain.trace(),
        plain.events(),
        plain.queue(),
        states,
        plain.sequences(),
        plain.traffic(),
        plain.counts());
  }
}
