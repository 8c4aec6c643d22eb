package io.kindred.protocol.overlay;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.PeerId;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class CandidateTest {
  private static final PeerId SELF = new PeerId(1);

  private static Candidate candidate(long peer, double similarity) {
    return new Candidate(new PeerId(peer), (float) similarity);
  }

  @Test
  void mergingKeepsTheBestAndEachPeerOnce() {
    List<Candidate> one = List.of(candidate(1, 0.9), candidate(2, 0.5), candidate(3, 0.1));
    List<Candidate> other = List.of(candidate(2, 0.7), candidate(4, 0.6));
    assertThat(Candidate.merge(one, other, 3))
        .containsExactly(candidate(1, 0.9), candidate(2, 0.7), candidate(4, 0.6));
  }

  @Test
  void equalSimilaritiesGoByPeer() {
    List<Candidate> one = List.of(candidate(9, 0.5));
    List<Candidate> other = List.of(candidate(4, 0.5));
    assertThat(Candidate.merge(one, other, 1)).containsExactly(candidate(4, 0.5));
  }

  @Test
  void aReplicaThatFailedIsFollowedByTheNextUntilAllWereTried() {
    List<PeerId> replicas = List.of(new PeerId(5), new PeerId(6), new PeerId(7));
    QueryId id = new QueryId(new PeerId(1), 3);
    PeerId first = replicas.get(id.replicaIndex(3));
    PeerId second = ClusterScores.nextReplica(SELF, replicas, first, id).orElseThrow();
    PeerId third = ClusterScores.nextReplica(SELF, replicas, second, id).orElseThrow();
    assertThat(List.of(first, second, third)).containsExactlyInAnyOrderElementsOf(replicas);
    assertThat(ClusterScores.nextReplica(SELF, replicas, third, id)).isEmpty();
  }

  @Test
  void whoStartsWithItselfTriesAllOthersToo() {
    List<PeerId> replicas = List.of(new PeerId(5), new PeerId(6), new PeerId(7));
    for (PeerId self : replicas) {
      for (long number = 0; number < 9; number++) {
        QueryId id = new QueryId(new PeerId(1), number);
        PeerId second = ClusterScores.nextReplica(self, replicas, self, id).orElseThrow();
        PeerId third = ClusterScores.nextReplica(self, replicas, second, id).orElseThrow();
        assertThat(List.of(self, second, third)).containsExactlyInAnyOrderElementsOf(replicas);
        assertThat(ClusterScores.nextReplica(self, replicas, third, id)).isEmpty();
      }
    }
  }

  @Test
  void queriesSpreadOverReplicas() {
    int[] counts = new int[3];
    for (long peer = 0; peer < 300; peer++) {
      counts[new QueryId(new PeerId(peer), 1).replicaIndex(3)]++;
    }
    assertThat(Arrays.stream(counts).min().orElse(0)).isGreaterThan(60);
  }
}
