package io.kindred.methods.hierarchy;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.PeerId;
import io.kindred.core.weights.Floats;
import io.kindred.methods.hierarchy.forming.Criteria;
import io.kindred.methods.hierarchy.forming.Grouping;
import io.kindred.methods.hierarchy.forming.SpectralRule;
import io.kindred.methods.hierarchy.forming.SwapRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LinkReportsTest {
  private static final int CLIENTS = 9;

  private interface Said {
    double rate(int from, int to);
  }

  private static List<Report> reports(Said said) {
    List<Report> reports = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      List<Report.Throughput> links = new ArrayList<>();
      for (int j = 0; j < CLIENTS; j++) {
        if (i != j) {
          links.add(new Report.Throughput(new PeerId(j), said.rate(i, j)));
        }
      }
      reports.add(
          new Report(
              new PeerId(i),
              10,
              5,
              3,
              links,
              Optional.empty(),
              Floats.of(i, 1, -i),
              Optional.empty()));
    }
    return reports;
  }

  /** The same both ways. */
  private static double honest(int i, int j) {
    return 100 + Math.min(i, j) + 10 * Math.max(i, j);
  }

  private static FormClusters.Formed formed(List<Report> reports) {
    Grouping grouping =
        new Grouping(
            2,
            3,
            0,
            Grouping.Way.SWAP,
            new SwapRule(
                Criteria.Solution.PAIR, 0, 20, SwapRule.Choice.RANDOM, SwapRule.Start.RANDOM),
            new SpectralRule(1, 1, 1, 0));
    return (FormClusters.Formed)
        new FormClusters(grouping, reports, false, 1000, 60, false, 0.1, 1, 1).apply();
  }

  @Test
  void honestReportsLeaveNobodyOut() {
    assertThat(new LinkReports(reports(LinkReportsTest::honest)).liars()).isEmpty();
  }

  @Test
  void whoIsContradictedByEverybodyIsLeftOutOfAllClusters() {
    List<Report> reports = reports((i, j) -> i == 4 ? 1e6 : honest(i, j));

    assertThat(new LinkReports(reports).liars()).containsExactly(new PeerId(4));
    FormClusters.Formed formed = formed(reports);
    assertThat(formed.liars()).containsExactly(new PeerId(4));
    assertThat(formed.plans().stream().flatMap(plan -> plan.members().stream()))
        .extracting(FormClusters.Member::peer)
        .hasSize(8)
        .doesNotContain(new PeerId(4));
  }

  @Test
  void twoLiarsAreBothFound() {
    List<Report> reports = reports((i, j) -> i == 4 || i == 7 ? 1e6 + i : honest(i, j));

    assertThat(new LinkReports(reports).liars()).containsExactly(new PeerId(4), new PeerId(7));
  }

  @Test
  void ofTwoWhoContradictOnlyEachOtherTheSlowerFigureCounts() {
    List<Report> reports = reports((i, j) -> i == 2 && j == 3 ? 50 : honest(i, j));
    LinkReports links = new LinkReports(reports);

    assertThat(links.liars()).isEmpty();
    assertThat(links.seconds(1000)[2][3]).isEqualTo(20f);
    assertThat(links.seconds(1000)[3][2]).isEqualTo(20f);
  }

  @Test
  void whereEverythingChangedBetweenMeasurementsNobodyLied() {
    List<Report> reports = reports((i, j) -> i < 5 ? honest(i, j) : honest(i, j) / 2);

    assertThat(new LinkReports(reports).liars()).isEmpty();
  }

  @Test
  void noThroughputIsNoWayAndNoReportIsNone() {
    List<Report> reports = reports((i, j) -> i + j == 3 ? 0 : honest(i, j));
    float[][] seconds = new LinkReports(reports.subList(0, 4)).seconds(1000);

    assertThat(seconds[0][3]).isEqualTo(Float.POSITIVE_INFINITY);
    assertThat(seconds[1][2]).isEqualTo(Float.POSITIVE_INFINITY);
    assertThat(seconds[0][1]).isEqualTo((float) (1000 / honest(0, 1)));
    assertThat(seconds[2][2]).isZero();
  }

  @Test
  void roundsFillTheGlobalRoundsTime() {
    FormClusters.Formed formed = formed(reports(LinkReportsTest::honest));

    assertThat(formed.plans()).hasSize(2);
    for (FormClusters.Plan plan : formed.plans()) {
      assertThat(plan.rounds()).isEqualTo((int) Math.floor(60 / plan.seconds()));
      assertThat(plan.members()).anyMatch(member -> member.peer().equals(plan.head()));
    }
  }

  @Test
  void clientsThatReachNobodyAreNoClustersAndTheAnswerSaysWhy() {
    FormClusters.Formed formed = formed(reports((i, j) -> 0));

    assertThat(formed.plans()).isEmpty();
    assertThat(formed.problem()).hasValueSatisfying(why -> assertThat(why).startsWith("no clust"));
  }
}
