package io.kindred.simulator.state;

import io.kindred.core.peer.Peer;
import io.kindred.core.peer.PeerState;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Weights;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.PeerStateCodec;
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
 * A run between two events: the contents of a checkpoint. Work in progress is kept as its ticket
 * and computed again; each distinct weight vector is named by digest and stored once, separately.
 *
 * @param savedStates the state that each peer would find on its disk; null where it never saved one
 */
public record SimulationSnapshot(
    SimulatorState simulatorState,
    List<PeerState> peerStates,
    List<@Nullable PeerState> savedStates) {
  private static final Digest NO_EVENTS = new Digest(0, 0, 0, 0);

  /** The parts whose types the codec derives by itself. */
  public record SimulatorState(
      long tick,
      Digest traceHash,
      long events,
      SortedMap<EventKey, QueuedEvent> queue,
      SortedMap<EventKey, QueuedEvent> deferred,
      List<Long> sequences,
      Traffic.Snapshot traffic,
      SortedMap<String, Long> counts,
      PeerTableState peerTable,
      BandwidthModel.Snapshot bandwidth,
      RadioQueues.Snapshot radio,
      NetworkPartitions.Snapshot partitions,
      EnvironmentState environment,
      TimeBreakdown.Snapshot timeBreakdown,
      long idleEnvironmentTicks) {}

  /** The bytes of a snapshot and the weights it names, each once. */
  public record Encoded(WireOutput bytes, SortedMap<Digest, Weights> weights) {}

  /** Before the first event: nothing is queued, and every participant has its initial state. */
  public static SimulationSnapshot initial(SimulationSpec spec) {
    int participants = spec.participants().size();
    SimulatorState simulatorState =
        new SimulatorState(
            0,
            NO_EVENTS,
            0,
            new TreeMap<>(),
            new TreeMap<>(),
            Collections.nCopies(participants + 1, 0L),
            new Traffic(participants).snapshot(),
            new TreeMap<>(),
            PeerTableState.initial(participants),
            BandwidthModel.Snapshot.allFree(participants),
            RadioQueues.Snapshot.NONE,
            new NetworkPartitions().snapshot(),
            EnvironmentState.of(spec.environment()),
            TimeBreakdown.Snapshot.NONE,
            0);
    return new SimulationSnapshot(
        simulatorState,
        spec.participants().stream().map(Peer::initial).toList(),
        Collections.nCopies(participants, null));
  }

  /** The number of events before the snapshot. */
  public long events() {
    return simulatorState.events();
  }

  public Encoded write(SimulationSpec spec) {
    SortedMap<Digest, Weights> weights = new TreeMap<>();
    WireOutput out = new WireOutput(each -> weights.put(each.digest(), each));
    Wire wire = spec.wire();
    wire.write(SimulatorState.class, simulatorState, out);
    for (int i = 0; i < peerStates.size(); i++) {
      Peer participant = spec.participants().get(i);
      PeerStateCodec.write(wire, participant, peerStates.get(i), out);
      @Nullable PeerState kept = savedStates.get(i);
      wire.write(boolean.class, kept != null, out);
      if (kept != null) {
        PeerStateCodec.write(wire, participant, kept, out);
      }
    }
    return new Encoded(out, Collections.unmodifiableSortedMap(weights));
  }

  public static SimulationSnapshot read(
      SimulationSpec spec, byte[] bytes, Function<Digest, @Nullable Weights> weightsSource)
      throws MalformedException {
    WireInput in = new WireInput(bytes, weightsSource);
    Wire wire = spec.wire();
    SimulatorState simulatorState = (SimulatorState) wire.read(SimulatorState.class, in);
    List<PeerState> states = new ArrayList<>();
    List<@Nullable PeerState> saved = new ArrayList<>();
    for (Peer participant : spec.participants()) {
      states.add(PeerStateCodec.read(wire, participant, in));
      saved.add(
          (Boolean) wire.read(boolean.class, in)
              ? PeerStateCodec.read(wire, participant, in)
              : null);
    }
    if (in.remaining() > 0 || simulatorState.sequences().size() != states.size() + 1) {
      throw new MalformedException("the snapshot belongs to another experiment");
    }
    return new SimulationSnapshot(simulatorState, states, saved);
  }
}
