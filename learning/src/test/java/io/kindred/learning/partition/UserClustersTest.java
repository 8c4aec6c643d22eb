package io.kindred.learning.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.config.SettingException;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.Users;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UserClustersTest {
  private static SamplePool pool(int samples, int users) {
    List<String> names = IntStream.range(0, users).mapToObj(user -> "cluster " + user).toList();
    Ints bySample = PartitionAssertions.balanced(samples, users);
    return new SamplePool(bySample, users, Optional.of(new Users(bySample, names)));
  }

  @Test
  void everyPeerHoldsSamplesOfOneUserAndClustersAreEqual() {
    SamplePool pool = pool(300, 3);
    PartitionResult result = new UserClusters().divide(pool, 10, PartitionAssertions.random(1));
    int[] peersOfCluster = new int[3];
    for (Ints share : result.shares()) {
      int[] clusters =
          Arrays.stream(share.copy()).map(row -> pool.users().orElseThrow().of(row)).toArray();
      assertThat(Arrays.stream(clusters).distinct()).hasSize(1);
      assertThat(share.size()).isBetween(25, 34);
      peersOfCluster[clusters[0]]++;
    }
    assertThat(peersOfCluster).containsExactly(4, 3, 3);
    SampleTransformation truth = result.transformation().orElseThrow();
    assertThat(truth.trueClusters()).isEqualTo(pool.users().orElseThrow().bySample());
    assertThat(truth.clusterCount()).isEqualTo(3);
    assertThat(Arrays.stream(truth.quarterTurns().copy()).sum()).isZero();
  }

  @Test
  void requestsThatCannotBeMetAreRefused() {
    assertThatThrownBy(() -> divide(pool(300, 3), 2))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("2 peers cannot form 3 clusters");
    assertThatThrownBy(() -> divide(pool(6, 3), 9))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("cluster 0 has 2 samples for 3 peers");
    assertThatThrownBy(() -> divide(new SamplePool(Ints.of(0, 1), 2), 2))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("does not name the user");
  }

  private static PartitionResult divide(SamplePool pool, int peers) {
    return new UserClusters().divide(pool, peers, PartitionAssertions.random(1));
  }
}
