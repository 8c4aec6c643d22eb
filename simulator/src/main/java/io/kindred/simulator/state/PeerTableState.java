package io.kindred.simulator.state;

import io.kindred.core.peer.PeerId;
import java.util.List;

/** The peer table without the peers' own states, whose types only the participants know. */
public record PeerTableState(
    List<Boolean> up,
    List<Boolean> paused,
    List<Long> incarnations,
    List<Long> faultCounts,
    List<Integer> finishedRounds,
    List<Double> slowness,
    List<Long> busyUntil,
    List<List<PeerId>> knownNeighbours) {}
