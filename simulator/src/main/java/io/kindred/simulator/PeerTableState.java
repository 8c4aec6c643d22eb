package io.kindred.simulator;

import io.kindred.core.PeerId;
import java.util.List;

/** Everything but the states, whose types only the participants know. */
record PeerTableState(
    List<Boolean> up,
    List<Boolean> paused,
    List<Long> lives,
    List<Long> changes,
    List<Integer> rounds,
    List<Double> slowness,
    List<Long> busyUntil,
    List<List<PeerId>> told) {}
