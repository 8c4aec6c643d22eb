package io.kindred.methods.hfl.formation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.config.SettingException;
import io.kindred.core.weights.Ints;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Heads that are fixed, and heads that are chosen by the energy that they have spent. */
class HeadChoiceTest {
  private static final int CLIENTS = 12;
  private static final int[] FIXED = {7, 0, 10};
  private static final FormationSettings RULE =
      FormationInputs.settings(3, 2, 6, SwapCriteria.Solution.PAIR, 60);

  private static FormationInput input(double down, long seed) {
    return FormationInputs.randomInput(CLIENTS, 6, down, false, seed);
  }

  private static HeadChoice fixed(int... heads) {
    return new HeadChoice(heads, new double[0], 1);
  }

  private static Formation formation(FormationInput input, long seed) {
    return Formation.of(input, RULE, FormationInputs.random(seed));
  }

  private static FormationSettings with(HeadSettings.Rule rule, Integer... heads) {
    return FormationSettingsBuilder.from(RULE)
        .heads(new HeadSettings(rule, List.of(heads), 1.5, new EnergySettings(1, 1, 1)))
        .build();
  }

  private static IntStream stream(Ints clients) {
    return IntStream.range(0, clients.size()).map(clients::get);
  }

  /** The slowest member of a cluster, from the definition of a round's time. */
  private static double seconds(FormationInput input, Ints members, int head) {
    return stream(members)
        .mapToDouble(
            each ->
                input.computeSeconds()[each] + (each == head ? 0 : input.sendSeconds()[each][head]))
        .max()
        .orElseThrow();
  }

  @Test
  void everyFixedHeadLeadsOneClusterWhateverIsSwapped() {
    int changes = 0;
    for (long seed = 1; seed <= 40; seed++) {
      FormationInput input = input(0, seed).withHeads(fixed(FIXED));
      Formation formation = formation(input, seed);
      changes += formation.changes();

      assertThat(formation.after()).extracting(Formation.Cluster::head).containsExactly(7, 0, 10);
      assertThat(formation.after().stream().flatMapToInt(each -> stream(each.members())).sorted())
          .containsExactly(IntStream.range(0, CLIENTS).boxed().toArray(Integer[]::new));
      for (Formation.Cluster cluster : formation.after()) {
        assertThat(cluster.members().size()).isBetween(2, 6);
        assertThat(cluster.seconds()).isEqualTo(seconds(input, cluster.members(), cluster.head()));
      }
      assertThat(Formation.meanSeconds(formation.after()) * Formation.meanAngle(formation.after()))
          .isLessThanOrEqualTo(
              1.05
                  * Formation.meanSeconds(formation.before())
                  * Formation.meanAngle(formation.before()));
    }
    assertThat(changes).isGreaterThan(100);
  }

  @Test
  void aFixedHeadReachesAllItsMembersWhereLinksAreDown() {
    int formed = 0;
    for (long seed = 1; seed <= 40; seed++) {
      FormationInput input = input(0.3, seed).withHeads(fixed(FIXED));
      try {
        Formation formation = formation(input, seed);
        formed++;
        assertThat(formation.after()).extracting(Formation.Cluster::head).containsExactly(7, 0, 10);
        assertThat(formation.after()).allMatch(each -> each.unreachable().size() == 0);
      } catch (NoClusteringException none) {
        // Right only if some client reaches no fixed head, or too few can be with one of them.
        assertThat(none.problem()).contains("fixed heads");
      }
    }
    assertThat(formed).isBetween(10, 39);
  }

  @Test
  void aFixedHeadThatIsAwayLeavesFewerClustersToTheOthers() {
    Formation formation =
        Formation.ofAvailable(
            input(0, 3).withHeads(fixed(10, 4)), RULE, () -> FormationInputs.random(3));

    assertThat(formation.after()).extracting(Formation.Cluster::head).containsExactly(10, 4);
    assertThat(formation.after().stream().mapToInt(each -> each.members().size()).sum())
        .isEqualTo(CLIENTS);
  }

  @Test
  void theHeadHasSpentLeastAmongThoseWhoseRoundIsShortEnough() {
    int spared = 0;
    for (long seed = 1; seed <= 40; seed++) {
      double[] spent =
          Arrays.stream(FormationInputs.random(seed + 100).permutation(CLIENTS))
              .asDoubleStream()
              .toArray();
      FormationInput input = input(0, seed).withHeads(new HeadChoice(new int[0], spent, 1.2));
      for (Formation.Cluster cluster : formation(input, seed).after()) {
        double shortest =
            stream(cluster.members())
                .mapToDouble(head -> seconds(input, cluster.members(), head))
                .min()
                .orElseThrow();
        int expected =
            stream(cluster.members())
                .filter(head -> seconds(input, cluster.members(), head) <= 1.2 * shortest)
                .boxed()
                .min((one, other) -> Double.compare(spent[one], spent[other]))
                .orElseThrow();
        assertThat(cluster.head()).isEqualTo(expected);
        assertThat(cluster.seconds()).isEqualTo(seconds(input, cluster.members(), expected));
        spared += cluster.seconds() > shortest ? 1 : 0;
      }
    }
    assertThat(spared).isGreaterThan(20);
  }

  @Test
  void fixedHeadsThatClustersCannotHaveAreRefused() {
    with(HeadSettings.Rule.FIXED, 1, 5, 11).checkAll(CLIENTS);
    refused(with(HeadSettings.Rule.FIXED, 1, 5), "2 fixed heads for 3 clusters");
    refused(with(HeadSettings.Rule.FIXED, 1, 5, 5), "different peers from 0 to 11");
    refused(with(HeadSettings.Rule.FIXED, 1, 5, 12), "different peers from 0 to 11");
    refused(with(HeadSettings.Rule.ENERGY, 1, 5, 6), "chosen by the rule energy");
    refused(
        FormationInputs.withAlgorithm(
            with(HeadSettings.Rule.FIXED, 1, 5, 11), FormationSettings.Algorithm.SPECTRAL),
        "spectral clusters do not begin at given heads");
  }

  @Test
  void asManyRegionsAsClustersAreRefused() {
    FormationSettings regions =
        FormationSettingsBuilder.from(RULE).regions(new RegionSettings(3, 2)).build();
    refused(regions, "3 regions of 3 clusters would have one cluster each");
    FormationSettingsBuilder.from(RULE).regions(new RegionSettings(2, 2)).build().checkAll(CLIENTS);
  }

  private static void refused(FormationSettings settings, String problem) {
    assertThatThrownBy(() -> settings.checkAll(CLIENTS))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining(problem);
  }
}
