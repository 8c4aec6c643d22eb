package io.kindred.learning.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kindred.core.random.RandomStream;
import io.kindred.core.settings.Complaint;
import io.kindred.core.weights.Ints;
import java.util.List;
import org.junit.jupiter.api.Test;

class IidTest {
  @Test
  void handsEverySampleOutOnceInEqualShares() {
    for (long seed = 0; seed < 200; seed++) {
      RandomStream random = Facts.random(seed);
      int peers = 1 + random.nextInt(50);
      int samples = peers + random.nextInt(500);
      List<Ints> shares = new Iid().assign(Facts.balanced(samples, 7), 7, peers, random);
      assertThat(shares).as("seed %d", seed).hasSize(peers);
      Facts.assertTotal(shares, samples, seed);
      assertThat(Facts.largest(shares) - Facts.smallest(shares)).as("seed %d", seed).isLessThan(2);
    }
  }

  @Test
  void peersSeeAllClasses() {
    Ints labels = Facts.balanced(6000, 10);
    List<Ints> shares = new Iid().assign(labels, 10, 20, Facts.random(1));
    assertThat(Facts.skew(shares, labels, 10)).isLessThan(0.2);
  }

  @Test
  void sameStreamGivesSameShares() {
    Ints labels = Facts.balanced(100, 10);
    List<Ints> first = new Iid().assign(labels, 10, 7, Facts.random(5));
    assertThat(new Iid().assign(labels, 10, 7, Facts.random(5))).isEqualTo(first);
    assertThat(new Iid().assign(labels, 10, 7, Facts.random(6))).isNotEqualTo(first);
  }

  @Test
  void complainsOfMorePeersThanSamples() {
    Complaint complaint =
        catchThrowableOfType(
            Complaint.class, () -> new Iid().assign(Facts.balanced(5, 2), 2, 6, Facts.random(1)));
    assertThat(complaint.path()).isEqualTo("peers");
    assertThat(complaint.problem())
        .isEqualTo("there are 6 peers but only 5 training samples to share");
    assertThat(complaint.remedy()).isEqualTo("ask for at most 5 peers, or for more samples");
  }
}
