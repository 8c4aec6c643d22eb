package io.kindred.learning.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import java.util.List;
import org.junit.jupiter.api.Test;

class IidTest {
  @Test
  void handsEverySampleOutOnceInEqualShares() {
    for (long seed = 0; seed < 200; seed++) {
      RandomStream random = PartitionAssertions.random(seed);
      int peers = 1 + random.nextInt(50);
      int samples = peers + random.nextInt(500);
      List<Ints> shares =
          new Iid().assign(PartitionAssertions.balanced(samples, 7), 7, peers, random);
      assertThat(shares).as("seed %d", seed).hasSize(peers);
      PartitionAssertions.assertTotal(shares, samples, seed);
      assertThat(PartitionAssertions.largest(shares) - PartitionAssertions.smallest(shares))
          .as("seed %d", seed)
          .isLessThan(2);
    }
  }

  @Test
  void peersSeeAllClasses() {
    Ints labels = PartitionAssertions.balanced(6000, 10);
    List<Ints> shares = new Iid().assign(labels, 10, 20, PartitionAssertions.random(1));
    assertThat(PartitionAssertions.skew(shares, labels, 10)).isLessThan(0.2);
  }

  @Test
  void sameStreamGivesSameShares() {
    Ints labels = PartitionAssertions.balanced(100, 10);
    List<Ints> first = new Iid().assign(labels, 10, 7, PartitionAssertions.random(5));
    assertThat(new Iid().assign(labels, 10, 7, PartitionAssertions.random(5))).isEqualTo(first);
    assertThat(new Iid().assign(labels, 10, 7, PartitionAssertions.random(6))).isNotEqualTo(first);
  }

  @Test
  void complainsOfMorePeersThanSamples() {
    SettingException invalid =
        catchThrowableOfType(
            SettingException.class,
            () ->
                new Iid()
                    .assign(
                        PartitionAssertions.balanced(5, 2), 2, 6, PartitionAssertions.random(1)));
    assertThat(invalid.path()).isEqualTo("peers");
    assertThat(invalid.problem()).isEqualTo("there are 6 peers but only 5 training samples");
    assertThat(invalid.remedy()).isEqualTo("choose at most 5 peers, or use more samples");
  }
}
