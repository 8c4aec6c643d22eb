package io.kindred.methods.hfl.formation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.methods.hfl.formation.SwapCriteria.Solution;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Clusters of fewer clients, or of clients with fewer links, than the settings were made for. */
class AvailableClientsTest {
  private static final FormationSettings THREE_OF_THREE =
      FormationInputs.settings(3, 3, 0, Solution.PAIR, 10);

  private static int[] sizes(FormationInput input) {
    return Formation.ofAvailable(input, THREE_OF_THREE, () -> FormationInputs.random(1))
        .after()
        .stream()
        .mapToInt(cluster -> cluster.members().size())
        .sorted()
        .toArray();
  }

  @Test
  void fewerClientsMakeFewerAndThenSmallerClusters() {
    assertThat(sizes(clients(9))).containsExactly(3, 3, 3);
    assertThat(sizes(clients(8))).hasSize(2);
    assertThat(Arrays.stream(sizes(clients(8))).sum()).isEqualTo(8);
    assertThat(sizes(clients(6))).containsExactly(3, 3);
    assertThat(sizes(clients(5))).containsExactly(5);
    assertThat(sizes(clients(2))).containsExactly(2);
  }

  private static FormationInput clients(int count) {
    return FormationInputs.randomInput(count, 4, 0, false, 7);
  }

  @Test
  void aClientAloneIsNoClusterUnlessTheSettingsSaySo() {
    assertThatThrownBy(() -> sizes(clients(1)))
        .isInstanceOf(NoClusteringException.class)
        .hasMessage("a cluster needs 2 clients, but only 1 can take part");
    FormationSettings single = FormationInputs.settings(3, 1, 0, Solution.PAIR, 10);
    assertThat(Formation.ofAvailable(clients(1), single, () -> FormationInputs.random(1)).after())
        .hasSize(1);
  }

  @Test
  void fewerClustersFormWhereLinksLeaveTooFewHeads() {
    // Clients 0 and 1 reach all others, which reach only these two: two clusters, never three.
    assertThat(sizes(reaching(12, (i, j) -> i < 2 || j < 2))).hasSize(2);
  }

  @Test
  void clientsThatNoHeadReachesSitTheRoundOut() {
    // Clients 0 to 3 reach each other; 4 and 5 reach no client.
    assertThat(sizes(reaching(6, (i, j) -> i < 4 && j < 4))).containsExactly(4);
  }

  private interface Reach {
    boolean between(int one, int other);
  }

  private static FormationInput reaching(int clients, Reach reach) {
    FormationInput input = clients(clients);
    for (int i = 0; i < clients; i++) {
      for (int j = 0; j < clients; j++) {
        if (i != j && !reach.between(i, j)) {
          input.sendSeconds()[i][j] = Float.POSITIVE_INFINITY;
        }
      }
    }
    return input;
  }
}
