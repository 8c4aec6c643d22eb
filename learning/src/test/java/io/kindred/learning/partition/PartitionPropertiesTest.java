package io.kindred.learning.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.config.Catalogue;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.Users;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Properties of every partition, over a thousand drawn requests each. */
class PartitionPropertiesTest {
  private static final Path DOCS = Path.of("..", "docs", "reference", "partitions.md");
  private static final int SEEDS = 1000;

  /** How to draw a partition, and whether it must assign all samples. */
  private record Promise(Function<RandomStream, Partition> draw, boolean total) {}

  private static final double[] ALPHAS = {1e-300, 0.01, 0.1, 1, 100};

  private static final SortedMap<String, Promise> PROMISES = new TreeMap<>();

  static {
    total("iid", random -> new Iid());
    total("quantity", random -> new Quantity(random.uniform(1, 9)));
    total("dirichlet", PartitionPropertiesTest::dirichlet);
    part("pathological", random -> new Pathological(0.3, random.nextInt(3)));
    total("shards", random -> new Shards(1 + random.nextInt(3)));
    total("two-stage", random -> new TwoStage(random.uniform(0, 6), 3 + random.nextInt(3), 1, 0));
    total("by-user", random -> new ByUser(0, 1));
    part("by-user with some left behind", random -> new ByUser(1, 2));
    total("user-clusters", random -> new UserClusters());
    total("rotation-clusters", random -> clusters(random, false));
    total("rotation-clusters, augmented", random -> clusters(random, true));
    total("rotation-mixture", random -> new RotationMixture(0.1, 0.9, random.uniform(1, 5)));
    total("parity-rotation", random -> new ParityRotation(0.1, 0.9, random.uniform(1, 5)));
    total("mixture", random -> new OriginMixture(0.1, 0.9, random.uniform(1, 5)));
  }

  private static void total(String name, Function<RandomStream, Partition> draw) {
    PROMISES.put(name, new Promise(draw, true));
  }

  private static void part(String name, Function<RandomStream, Partition> draw) {
    PROMISES.put(name, new Promise(draw, false));
  }

  private static Dirichlet dirichlet(RandomStream random) {
    return new Dirichlet(
        ALPHAS[random.nextInt(ALPHAS.length)],
        1 + random.nextInt(3),
        random.nextInt(2) == 0 ? Dirichlet.Over.PEERS : Dirichlet.Over.CLASSES,
        random.nextInt(2) == 0);
  }

  private static RotationClusters clusters(RandomStream random, boolean augment) {
    List<Integer> degrees = List.of(0, 90, 180, 270).subList(0, 1 + random.nextInt(4));
    return new RotationClusters(
        degrees, random.nextInt(2) == 0 ? new Iid() : new Dirichlet(0.1, 1), augment);
  }

  static Stream<String> names() {
    return PROMISES.keySet().stream();
  }

  @Test
  void everyPartitionIsPromised() {
    List<String> promised =
        PROMISES.keySet().stream().map(name -> name.replaceFirst("[, ].*", "")).toList();
    assertThat(promised).containsAll(Partitions.ALL.names());
  }

  @Test
  void everyPartitionHasItsRowInTheDocs() throws IOException {
    String docs = Files.readString(DOCS);
    for (Class<? extends Partition> partition : Partitions.ALL.choices()) {
      assertThat(docs).contains("| `" + Catalogue.nameOf(partition) + "` |");
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void sharesAreDisjointTotalAndReproducible(String name) {
    Promise promise = Objects.requireNonNull(PROMISES.get(name));
    int differing = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      RandomStream random = PartitionAssertions.random(seed);
      // The solvers take a few milliseconds, which adds up over a thousand seeds.
      int peers = 4 + random.nextInt(name.equals("two-stage") ? 5 : 17);
      SamplePool pool = stock(name, peers, random);
      Partition partition = promise.draw().apply(random);
      PartitionResult result = partition.divide(pool, peers, PartitionAssertions.random(~seed));
      assertThat(result.shares()).as("seed %d", seed).hasSize(peers);
      int rows = result.transformation().map(each -> each.samples().size()).orElse(pool.count());
      int handedOut = PartitionAssertions.assertDisjoint(result.shares(), rows, seed);
      assertThat(handedOut).as("seed %d", seed).isEqualTo(promise.total() ? rows : handedOut);
      assertThat(PartitionAssertions.smallest(result.shares())).as("seed %d", seed).isPositive();
      result.transformation().ifPresent(each -> checkVariation(each, pool, peers));
      assertThat(partition.divide(pool, peers, PartitionAssertions.random(~seed)))
          .as("seed %d again", seed)
          .isEqualTo(result);
      if (seed % 10 == 0
          && !partition
              .divide(pool, peers, PartitionAssertions.random(seed + 5000))
              .equals(result)) {
        differing++;
      }
    }
    assertThat(differing).as("other streams, other shares").isGreaterThan(SEEDS / 10 * 9 / 10);
  }

  /** Unbalanced classes and users, or the data that the partition needs. */
  private static SamplePool stock(String name, int peers, RandomStream random) {
    int samples = 12 * peers + random.nextInt(200);
    int classes = name.equals("two-stage") ? 6 : 2 + random.nextInt(9);
    boolean even = name.equals("parity-rotation") || name.equals("two-stage");
    Ints labels =
        even
            ? PartitionAssertions.balanced(samples, 2 * ((classes + 1) / 2))
            : PartitionAssertions.unbalanced(samples, classes, random);
    int users =
        switch (name) {
          case "mixture" -> 2;
          case "user-clusters" -> 1 + random.nextInt(4);
          default -> 3 * peers;
        };
    List<String> names = IntStream.range(0, users).mapToObj(user -> "user " + user).toList();
    return new SamplePool(
        labels,
        2 * ((classes + 1) / 2),
        Optional.of(new Users(PartitionAssertions.balanced(samples, users), names)));
  }

  private static void checkVariation(
      SampleTransformation transformation, SamplePool pool, int peers) {
    assertThat(transformation.testQuarterTurns()).hasSize(peers);
    assertThat(range(transformation.samples())).isEqualTo(Ints.of(0, pool.count() - 1));
    assertThat(range(transformation.quarterTurns()).get(1)).isLessThan(4);
    assertThat(range(transformation.trueClusters()).get(1))
        .isLessThan(transformation.clusterCount());
  }

  private static Ints range(Ints values) {
    IntSummaryStatistics range = Arrays.stream(values.copy()).summaryStatistics();
    return Ints.of(range.getMin(), range.getMax());
  }

  /** The usual code, which redraws, never ends for these. */
  @ParameterizedTest
  @MethodSource("skewed")
  void manyPeersAndLittleAlphaEnd(int peers, Dirichlet dirichlet) {
    Ints labels = PartitionAssertions.balanced(60_000, 10);
    List<Ints> shares = dirichlet.assign(labels, 10, peers, PartitionAssertions.random(1));
    PartitionAssertions.assertTotal(shares, 60_000, 1);
    assertThat(PartitionAssertions.smallest(shares)).isGreaterThanOrEqualTo(10);
    assertThat(PartitionAssertions.skew(shares, labels, 10)).isGreaterThan(0.5);
  }

  static Stream<Arguments> skewed() {
    return Arrays.stream(Dirichlet.Over.values())
        .flatMap(
            over ->
                Stream.of(true, false)
                    .flatMap(
                        balanced ->
                            Stream.of(
                                Arguments.of(200, new Dirichlet(0.1, 10, over, balanced)),
                                Arguments.of(400, new Dirichlet(0.05, 10, over, balanced)))));
  }
}
