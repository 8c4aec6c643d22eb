package io.kindred.learning.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.Users;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The requested skew, within sampling error, over a thousand seeds each. */
class SkewTest {
  private static final int SEEDS = 1000;

  /** For Dirichlet proportions over n places the mean sum of squares is (a + 1) / (n a + 1). */
  private static double meanSquares(double alpha, int places) {
    return (alpha + 1) / (places * alpha + 1);
  }

  private static double squares(int[] counts) {
    double sum = Arrays.stream(counts).sum();
    return Arrays.stream(counts).mapToDouble(count -> count / sum * (count / sum)).sum();
  }

  @Test
  void classesAreCutOverPeersInDirichletProportions() {
    Ints labels = PartitionAssertions.balanced(4000, 4);
    for (double alpha : new double[] {0.1, 0.5, 5}) {
      double mean = 0;
      for (long seed = 0; seed < SEEDS; seed++) {
        List<Ints> shares =
            new Dirichlet(alpha, 1).assign(labels, 4, 8, PartitionAssertions.random(seed));
        for (int label = 0; label < 4; label++) {
          int c = label;
          int[] cut =
              shares.stream()
                  .mapToInt(s -> PartitionAssertions.histogram(s, labels, 4)[c])
                  .toArray();
          mean += squares(cut) / (4 * SEEDS);
        }
      }
      assertThat(mean).as("alpha %s", alpha).isCloseTo(meanSquares(alpha, 8), within(0.015));
    }
  }

  /**
   * If the peers' draws for a class sum to too little or too much, the shares deviate from the
   * draws; with hundreds of peers the deviation is small.
   */
  @Test
  void peersDrawDirichletProportionsOfClasses() {
    Ints labels = PartitionAssertions.balanced(12_000, 5);
    for (boolean balanced : new boolean[] {true, false}) {
      for (double alpha : new double[] {0.1, 0.5, 5}) {
        double mean = 0;
        int seeds = 40;
        for (long seed = 0; seed < seeds; seed++) {
          Dirichlet partition = new Dirichlet(alpha, 1, Dirichlet.Over.CLASSES, balanced);
          List<Ints> shares = partition.assign(labels, 5, 200, PartitionAssertions.random(seed));
          for (Ints share : shares) {
            mean += squares(PartitionAssertions.histogram(share, labels, 5)) / (200 * seeds);
          }
        }
        assertThat(mean)
            .as("alpha %s, balanced %s", alpha, balanced)
            .isCloseTo(meanSquares(alpha, 5), within(0.02));
      }
    }
  }

  @Test
  void balancedMeansEqualSizes() {
    Ints labels = PartitionAssertions.unbalanced(1001, 7, PartitionAssertions.random(1));
    for (Dirichlet.Over over : Dirichlet.Over.values()) {
      for (long seed = 0; seed < SEEDS; seed++) {
        List<Ints> shares =
            new Dirichlet(0.05, 1, over, true)
                .assign(labels, 7, 20, PartitionAssertions.random(seed));
        assertThat(PartitionAssertions.smallest(shares)).as("seed %d", seed).isEqualTo(50);
        assertThat(PartitionAssertions.largest(shares)).as("seed %d", seed).isEqualTo(51);
      }
    }
  }

  @Test
  void balancedSharesOfEachClassStaySkewed() {
    Ints labels = PartitionAssertions.balanced(6000, 10);
    for (long seed = 0; seed < 50; seed++) {
      List<Ints> shares =
          new Dirichlet(0.05, 1, Dirichlet.Over.PEERS, true)
              .assign(labels, 10, 60, PartitionAssertions.random(seed));
      assertThat(PartitionAssertions.skew(shares, labels, 10))
          .as("seed %d", seed)
          .isGreaterThan(0.6);
    }
  }

  @Test
  void aThirdHasLittleAndAThirdHasMuch() {
    Ints labels = PartitionAssertions.balanced(9000, 10);
    for (long seed = 0; seed < SEEDS; seed++) {
      RandomStream random = PartitionAssertions.random(seed);
      double ratio = random.uniform(1, 9);
      List<Ints> shares = new Quantity(ratio).assign(labels, 10, 9, random);
      int[] sizes = shares.stream().mapToInt(Ints::size).sorted().toArray();
      assertThat(sizes[8] / (double) sizes[0]).as("seed %d", seed).isCloseTo(ratio, within(0.05));
      assertThat(sizes[2] - sizes[0]).as("seed %d", seed).isLessThan(2);
      assertThat(sizes[8] - sizes[6]).as("seed %d", seed).isLessThan(2);
      assertThat(sizes[4]).as("seed %d", seed).isCloseTo(1000, within(1));
    }
  }

  @Test
  void shardsHoldFewClasses() {
    for (long seed = 0; seed < SEEDS; seed++) {
      Ints labels = PartitionAssertions.balanced(1003, 10);
      List<Ints> shares = new Shards(2).assign(labels, 10, 20, PartitionAssertions.random(seed));
      for (Ints share : shares) {
        assertThat(PartitionAssertions.classesSeen(share, labels, 10))
            .as("seed %d", seed)
            .isLessThan(5);
        assertThat(share.size()).as("seed %d", seed).isBetween(50, 52);
      }
    }
  }

  @Test
  void shardsThatDivideClassesHoldOneClassEach() {
    Ints labels = PartitionAssertions.balanced(1000, 10);
    for (long seed = 0; seed < SEEDS; seed++) {
      for (Ints share : new Shards(2).assign(labels, 10, 20, PartitionAssertions.random(seed))) {
        assertThat(PartitionAssertions.classesSeen(share, labels, 10))
            .as("seed %d", seed)
            .isLessThan(3);
        assertThat(share.size()).isEqualTo(50);
      }
    }
  }

  /** Bounds 0.1 and 0.9: mean 0.5, variance 0.64 / 12. */
  private static void assertUniform(double sum, double squares, int count) {
    double mean = sum / count;
    assertThat(mean).isCloseTo(0.5, within(0.005));
    assertThat(squares / count - mean * mean).isCloseTo(0.64 / 12, within(0.004));
  }

  @Test
  void halfOfThePicturesAreTurnedAndPartsAreUniform() {
    SamplePool pool = new SamplePool(PartitionAssertions.balanced(5000, 10), 10);
    double sum = 0;
    double squares = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      PartitionResult result =
          new RotationMixture(0.1, 0.9, 1).divide(pool, 50, PartitionAssertions.random(seed));
      SampleTransformation transformation = result.transformation().orElseThrow();
      assertThat(Arrays.stream(transformation.quarterTurns().copy()).sum()).isEqualTo(2500);
      assertThat(transformation.trueClusters()).isEqualTo(transformation.quarterTurns());
      for (Ints share : result.shares()) {
        assertThat(share.size()).isEqualTo(100);
        double part = transformation.countByCluster(share).get(1) / 100.0;
        assertThat(part).as("seed %d", seed).isBetween(0.1, 0.9);
        sum += part;
        squares += part * part;
      }
    }
    assertUniform(sum, squares, 50 * SEEDS);
  }

  @Test
  void oddLabelsComeInUniformPartsAndHalfIsTurnedWhateverTheLabel() {
    SamplePool pool = new SamplePool(PartitionAssertions.balanced(5000, 10), 10);
    double sum = 0;
    double squares = 0;
    double rotated = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      PartitionResult result =
          new ParityRotation(0.1, 0.9, 1).divide(pool, 50, PartitionAssertions.random(seed));
      SampleTransformation transformation = result.transformation().orElseThrow();
      assertThat(transformation.clusterCount()).isEqualTo(4);
      for (Ints share : result.shares()) {
        Ints clusters = transformation.countByCluster(share);
        double odd = (clusters.get(1) + clusters.get(3)) / 100.0;
        assertThat(odd).as("seed %d", seed).isBetween(0.1, 0.9);
        sum += odd;
        squares += odd * odd;
        // Relative to odd labels, which shows that rotation is independent of parity.
        rotated += clusters.get(3) / (100 * odd);
      }
    }
    assertUniform(sum, squares, 50 * SEEDS);
    assertThat(rotated / (50 * SEEDS)).isCloseTo(0.5, within(0.005));
  }

  @Test
  void richPeersOfAMixtureHoldMore() {
    SamplePool pool = new SamplePool(PartitionAssertions.balanced(5000, 10), 10);
    PartitionResult result =
        new ParityRotation(0.1, 0.9, 9).divide(pool, 25, PartitionAssertions.random(1));
    assertThat(
            PartitionAssertions.largest(result.shares())
                / (double) PartitionAssertions.smallest(result.shares()))
        .isCloseTo(9, within(0.2));
  }

  @Test
  void twoDataSetsComeInUniformParts() {
    Users origins = new Users(PartitionAssertions.balanced(5000, 2), List.of("cifar-10", "mnist"));
    SamplePool pool =
        new SamplePool(PartitionAssertions.balanced(5000, 10), 10, Optional.of(origins));
    double sum = 0;
    double squares = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      PartitionResult result =
          new OriginMixture(0.1, 0.9, 1).divide(pool, 50, PartitionAssertions.random(seed));
      SampleTransformation transformation = result.transformation().orElseThrow();
      assertThat(transformation.trueClusters()).isEqualTo(origins.bySample());
      for (Ints share : result.shares()) {
        double part = transformation.countByCluster(share).get(1) / 100.0;
        sum += part;
        squares += part * part;
      }
    }
    assertUniform(sum, squares, 50 * SEEDS);
  }

  @Test
  void aMixtureOfUnequalKindsIsRefused() {
    Users origins =
        new Users(
            Ints.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1), List.of("a", "b"));
    SamplePool pool = new SamplePool(PartitionAssertions.balanced(20, 2), 2, Optional.of(origins));
    assertThatThrownBy(
            () -> new OriginMixture(0.1, 0.9, 1).divide(pool, 2, PartitionAssertions.random(1)))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("makes up 5.0%");
    assertThatThrownBy(() -> new OriginMixture(0.9, 0.1, 1))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("cannot lie between");
  }

  @Test
  void usersStayWhole() {
    for (long seed = 0; seed < SEEDS; seed++) {
      RandomStream random = PartitionAssertions.random(seed);
      Ints made = PartitionAssertions.unbalanced(400, 30, random);
      List<String> names = Collections.nCopies(30, "somebody");
      SamplePool pool =
          new SamplePool(
              PartitionAssertions.balanced(400, 4), 4, Optional.of(new Users(made, names)));
      PartitionResult all = new ByUser(0, 1).divide(pool, 7, random);
      PartitionAssertions.assertTotal(all.shares(), 400, seed);
      PartitionResult one = new ByUser(1, 3).divide(pool, 7, random);
      for (Ints share : one.shares()) {
        int user = made.get(share.get(0));
        long owned = Arrays.stream(made.copy()).filter(each -> each == user).count();
        assertThat(share.size()).as("seed %d", seed).isEqualTo((int) owned).isGreaterThan(2);
        assertThat(PartitionAssertions.classesSeen(share, made, 30)).isEqualTo(1);
      }
    }
  }

  @Test
  void withoutUsersThereIsNoPartitionByUser() {
    SamplePool pool = new SamplePool(PartitionAssertions.balanced(40, 4), 4);
    assertThatThrownBy(() -> new ByUser(0, 1).divide(pool, 7, PartitionAssertions.random(1)))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("does not name the user");
    assertThatThrownBy(
            () -> new OriginMixture(0.1, 0.9, 1).divide(pool, 7, PartitionAssertions.random(1)))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("two origins");
  }
}
