package io.kindred.simulator.state;

import io.kindred.core.peer.PeerId;
import java.util.Collections;
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
    List<List<PeerId>> knownNeighbours) {
  /** Every participant is up, in its first incarnation and without neighbours. */
  public static PeerTableState initial(int participants) {
    return new PeerTableState(
        Collections.nCopies(participants, true),
        Collections.nCopies(participants, false),
        Collections.nCopies(participants, 0L),
        Collections.nCopies(participants, 0L),
        Collections.nCopies(participants, 0),
        Collections.nCopies(participants, 1.0),
        Collections.nCopies(participants, 0L),
        Collections.nCopies(participants, List.of()));
  }
}
