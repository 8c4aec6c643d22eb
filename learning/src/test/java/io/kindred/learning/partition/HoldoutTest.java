package io.kindred.learning.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class HoldoutTest {
  @Test
  void partsAreDisjointTotalAndOfTheAskedSize() {
    for (long seed = 0; seed < 200; seed++) {
      RandomStream random = PartitionAssertions.random(seed);
      Ints labels = PartitionAssertions.unbalanced(400, 10, random);
      Ints mine = some(labels.size(), 1 + random.nextInt(200), random);
      double validation = random.uniform(0, 0.4);
      double test = random.uniform(0, 0.4);
      Holdout.PeerSplit split = Holdout.split(mine, labels, validation, test, random);
      List<Ints> all = List.of(split.train(), split.validation(), split.test());
      assertThat(PartitionAssertions.assertDisjoint(all, 400, seed))
          .as("seed %d", seed)
          .isEqualTo(mine.size());
      assertThat(union(all)).as("seed %d", seed).isEqualTo(mine);
      assertThat(split.train().size()).as("seed %d", seed).isPositive();
      if (mine.size() >= 20) {
        assertThat((double) split.test().size())
            .as("seed %d", seed)
            .isBetween(test * mine.size() - 1, test * mine.size() + 1);
        assertThat((double) split.validation().size())
            .as("seed %d", seed)
            .isBetween(validation * mine.size() - 1, validation * mine.size() + 1);
      }
    }
  }

  @Test
  void partsKeepTheLabelProportions() {
    for (long seed = 0; seed < 200; seed++) {
      RandomStream random = PartitionAssertions.random(seed);
      Ints labels = PartitionAssertions.unbalanced(400, 10, random);
      Ints mine = some(labels.size(), 20 + random.nextInt(200), random);
      Holdout.PeerSplit split = Holdout.split(mine, labels, 0.15, 0.25, random);
      int[] all = PartitionAssertions.histogram(mine, labels, 10);
      int[] train = PartitionAssertions.histogram(split.train(), labels, 10);
      int[] test = PartitionAssertions.histogram(split.test(), labels, 10);
      double tested = (double) split.test().size() / mine.size();
      double trained = (double) split.train().size() / mine.size();
      for (int label = 0; label < 10; label++) {
        assertThat(test[label])
            .as("seed %d, label %d", seed, label)
            .isBetween((int) (tested * all[label]), (int) Math.ceil(tested * all[label]));
        assertThat((double) train[label])
            .as("seed %d, label %d", seed, label)
            .isBetween(trained * all[label] - 2, trained * all[label] + 2);
      }
    }
  }

  @Test
  void testGetsASampleAsSoonAsThereAreTwo() {
    Ints labels = PartitionAssertions.balanced(10, 10);
    for (int count = 0; count < 10; count++) {
      Ints mine = Ints.wrap(Arrays.copyOf(new int[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, count));
      Holdout.PeerSplit split =
          Holdout.split(mine, labels, 0.1, 0.05, PartitionAssertions.random(count));
      assertThat(split.test().size()).as("%d samples", count).isEqualTo(count >= 2 ? 1 : 0);
      assertThat(split.validation().size()).as("%d samples", count).isEqualTo(count >= 3 ? 1 : 0);
      assertThat(split.train().size())
          .as("%d samples", count)
          .isEqualTo(Math.max(count - 2, Math.min(count, 1)));
    }
  }

  @Test
  void zeroFractionsLeaveAllForTraining() {
    Ints labels = PartitionAssertions.balanced(50, 5);
    Ints mine = some(50, 30, PartitionAssertions.random(1));
    Holdout.PeerSplit split = Holdout.split(mine, labels, 0, 0, PartitionAssertions.random(2));
    assertThat(split.train()).isEqualTo(mine);
  }

  @Test
  void sameStreamGivesSameParts() {
    Ints labels = PartitionAssertions.balanced(100, 5);
    Ints mine = some(100, 60, PartitionAssertions.random(1));
    Holdout.PeerSplit first = Holdout.split(mine, labels, 0.2, 0.2, PartitionAssertions.random(2));
    assertThat(Holdout.split(mine, labels, 0.2, 0.2, PartitionAssertions.random(2)))
        .isEqualTo(first);
    assertThat(Holdout.split(mine, labels, 0.2, 0.2, PartitionAssertions.random(3)))
        .isNotEqualTo(first);
  }

  @Test
  void refusesFractionsThatLeaveNothingForTraining() {
    Ints labels = PartitionAssertions.balanced(10, 5);
    assertThatThrownBy(() -> Holdout.split(labels, labels, 0.5, 0.5, PartitionAssertions.random(1)))
        .hasMessageContaining("together below 1, got 0.5 and 0.5");
  }

  private static Ints some(int of, int count, RandomStream random) {
    int[] chosen = Arrays.copyOf(random.permutation(of), count);
    Arrays.sort(chosen);
    return Ints.wrap(chosen);
  }

  private static Ints union(List<Ints> parts) {
    return Ints.wrap(
        parts.stream().flatMapToInt(part -> Arrays.stream(part.copy())).sorted().toArray());
  }
}
