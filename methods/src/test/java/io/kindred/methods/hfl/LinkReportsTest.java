package io.kindred.methods.hfl;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Floats;
import io.kindred.methods.hfl.formation.FormationSettings;
import io.kindred.methods.hfl.formation.SpectralSettings;
import io.kindred.methods.hfl.formation.SwapCriteria;
import io.kindred.methods.hfl.formation.SwapSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import org.junit.jupiter.api.Test;

class LinkReportsTest {
  private static final int CLIENTS = 9;

  private interface ReportedRate {
    double rate(int from, int to);
  }

  private static List<ClientReport> reports(ReportedRate reportedRate) {
    List<ClientReport> reports = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      List<ClientReport.Throughput> links = new ArrayList<>();
      for (int j = 0; j < CLIENTS; j++) {
        if (i != j) {
          links.add(new ClientReport.Throughput(new PeerId(j), reportedRate.rate(i, j)));
        }
      }
      reports.add(
          new ClientReport(
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

  /** The true rate of a link, the same in both directions. */
  private static double honest(int i, int j) {
    return 100 + Math.min(i, j) + 10 * Math.max(i, j);
  }

  private static FormClusters.FormedClusters formed(List<ClientReport> reports) {
    FormationSettings formationSettings =
        new FormationSettings(
            2,
            3,
            0,
            FormationSettings.Algorithm.SWAP,
            new SwapSettings(
                SwapCriteria.Solution.PAIR,
                0,
                20,
                SwapSettings.Choice.RANDOM,
                SwapSettings.Start.RANDOM,
                1),
            new SpectralSettings(1, 1, 1, 0));
    return (FormClusters.FormedClusters)
        new FormClusters(
                formationSettings,
                reports,
                false,
                1000,
                60,
                false,
                0.1,
                LinkHistory.empty(4, 1),
                1,
                1)
            .apply();
  }

  private static SortedSet<PeerId> contradicted(List<ClientReport> reports) {
    return LinkHistory.empty(4, 1).with(new LinkReports(reports)).contradicted(reports.size());
  }

  @Test
  void honestReportsLeaveNoClientOut() {
    assertThat(contradicted(reports(LinkReportsTest::honest))).isEmpty();
  }

  @Test
  void aClientThatAllOthersContradictIsLeftOutOfAllClusters() {
    List<ClientReport> clientReports = reports((i, j) -> i == 4 ? 1e6 : honest(i, j));

    assertThat(contradicted(clientReports)).containsExactly(new PeerId(4));
    FormClusters.FormedClusters formedClusters = formed(clientReports);
    assertThat(formedClusters.inconsistentReporters()).containsExactly(new PeerId(4));
    assertThat(
            formedClusters.plans().stream().flatMap(clusterPlan -> clusterPlan.members().stream()))
        .extracting(FormClusters.Member::peer)
        .hasSize(8)
        .doesNotContain(new PeerId(4));
  }

  @Test
  void twoLiarsAreBothFound() {
    List<ClientReport> clientReports = reports((i, j) -> i == 4 || i == 7 ? 1e6 + i : honest(i, j));

    assertThat(contradicted(clientReports)).containsExactly(new PeerId(4), new PeerId(7));
  }

  @Test
  void ofTwoWhoContradictOnlyEachOtherTheSlowerFigureCounts() {
    List<ClientReport> clientReports = reports((i, j) -> i == 2 && j == 3 ? 50 : honest(i, j));
    LinkReports links = new LinkReports(clientReports);

    assertThat(contradicted(clientReports)).isEmpty();
    assertThat(links.seconds(1000)[2][3]).isEqualTo(20f);
    assertThat(links.seconds(1000)[3][2]).isEqualTo(20f);
  }

  @Test
  void linksThatChangedBetweenMeasurementsAccuseNoClient() {
    List<ClientReport> clientReports = reports((i, j) -> i < 5 ? honest(i, j) : honest(i, j) / 2);

    assertThat(contradicted(clientReports)).isEmpty();
  }

  @Test
  void noThroughputIsNoWayAndNoReportIsNone() {
    List<ClientReport> clientReports = reports((i, j) -> i + j == 3 ? 0 : honest(i, j));
    float[][] seconds = new LinkReports(clientReports.subList(0, 4)).seconds(1000);

    assertThat(seconds[0][3]).isEqualTo(Float.POSITIVE_INFINITY);
    assertThat(seconds[1][2]).isEqualTo(Float.POSITIVE_INFINITY);
    assertThat(seconds[0][1]).isEqualTo((float) (1000 / honest(0, 1)));
    assertThat(seconds[2][2]).isZero();
  }

  @Test
  void aLinkThatOneEndMeasuredCountsAndOneThatNeitherDidIsNone() {
    List<ClientReport> clientReports =
        reports(LinkReportsTest::honest).stream()
            .map(
                report ->
                    ClientReportBuilder.from(report)
                        .links(
                            report.links().stream()
                                .filter(
                                    link -> report.from().number() == 0 && link.to().number() != 2)
                                .toList())
                        .build())
            .toList();
    LinkReports links = new LinkReports(clientReports);

    assertThat(contradicted(clientReports)).isEmpty();
    assertThat(links.seconds(1000)[0][1]).isEqualTo((float) (1000 / honest(0, 1)));
    assertThat(links.seconds(1000)[1][0]).isEqualTo((float) (1000 / honest(0, 1)));
    assertThat(links.seconds(1000)[0][2]).isEqualTo(Float.POSITIVE_INFINITY);
  }

  @Test
  void aClientWhoseUplinkDiffersIsNoLiar() {
    List<ClientReport> clientReports = reports((i, j) -> i == 4 ? honest(i, j) / 3 : honest(i, j));

    assertThat(contradicted(clientReports)).isEmpty();
    assertThat(contradicted(reports((i, j) -> i == 4 ? honest(i, j) / 5 : honest(i, j))))
        .containsExactly(new PeerId(4));
  }

  @Test
  void oneDisturbedRoundAccusesNoClient() {
    List<ClientReport> disturbed = reports((i, j) -> i == 4 ? 1 : honest(i, j));
    List<ClientReport> quiet = reports(LinkReportsTest::honest);
    LinkHistory history = LinkHistory.empty(4, 3);

    for (List<ClientReport> round : List.of(disturbed, quiet, quiet, disturbed, quiet)) {
      history = history.with(new LinkReports(round));
      assertThat(history.contradicted(CLIENTS)).isEmpty();
    }
    history = history.with(new LinkReports(disturbed));
    assertThat(history.contradicted(CLIENTS)).containsExactly(new PeerId(4));
  }

  @Test
  void roundsFillTheGlobalRoundsTime() {
    FormClusters.FormedClusters formedClusters = formed(reports(LinkReportsTest::honest));

    assertThat(formedClusters.plans()).hasSize(2);
    for (FormClusters.ClusterPlan clusterPlan : formedClusters.plans()) {
      assertThat(clusterPlan.rounds()).isEqualTo((int) Math.floor(60 / clusterPlan.seconds()));
      assertThat(clusterPlan.members())
          .anyMatch(member -> member.peer().equals(clusterPlan.head()));
    }
  }

  @Test
  void clientsWithoutLinksFormNoClusterAndTheAnswerSaysWhy() {
    FormClusters.FormedClusters formedClusters = formed(reports((i, j) -> 0));

    assertThat(formedClusters.plans()).isEmpty();
    assertThat(formedClusters.problem())
        .hasValueSatisfying(why -> assertThat(why).startsWith("there is no clust"));
  }
}
