package io.kindred.studies.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.config.SettingException;
import io.kindred.runtime.Progress;
import io.kindred.studies.discovery.DiscoveryResult.Accusations;
import io.kindred.studies.discovery.DiscoveryResult.CurvePoint;
import io.kindred.studies.discovery.DiscoveryResult.InDegree;
import io.kindred.studies.discovery.DiscoveryResult.LiarRound;
import io.kindred.studies.discovery.DiscoveryResult.Resources;
import io.kindred.studies.discovery.DiscoveryResult.RoundResult;
import io.kindred.studies.discovery.DiscoveryResult.StrangerResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiscoveryStudyRunTest {
  private static DiscoveryResult result(String... assignments) {
    DiscoveryStudy study = SmallStudies.study(assignments);
    return new DiscoveryStudyRun(study, SmallStudies.vectors(study)).run(Progress.SILENT);
  }

  private static DiscoveryResult withoutResources(DiscoveryResult result) {
    return DiscoveryResultBuilder.from(result).resources(new Resources(0, 0, 0)).build();
  }

  @Test
  void everyRoundIsHandedOnBeforeTheNextRoundBegins() {
    DiscoveryStudy study = SmallStudies.study("peers=30", "rounds=5");
    List<CurvePoint> measured = new ArrayList<>();
    IllegalStateException stop = new IllegalStateException("stopped in round 3");
    assertThatThrownBy(
            () ->
                new DiscoveryStudyRun(study, SmallStudies.vectors(study))
                    .run(
                        Progress.SILENT,
                        (point, seconds) -> {
                          measured.add(point);
                          if (point.round() == 3) {
                            throw stop;
                          }
                        },
                        rounds -> Optional.empty()))
        .isSameAs(stop);
    assertThat(measured).isEqualTo(result("peers=30", "rounds=5").curve().subList(0, 3));
  }

  @Test
  void theStudyIsTheSameForTheSameSeedAndAnyNumberOfThreads()
      throws ExecutionException, InterruptedException {
    String[] everything = {
      "peers=120",
      "rounds=12",
      "wanted=10",
      "churn=0.1",
      "loss=0.1",
      "drift.at=4",
      "split.from=6",
      "split.to=7",
      "liars.share=0.1",
      "liars.kind=collude",
      "searches=5"
    };
    DiscoveryResult first;
    try (ForkJoinPool one = new ForkJoinPool(1)) {
      first = withoutResources(one.submit(() -> result(everything)).get());
    }
    try (ForkJoinPool four = new ForkJoinPool(4)) {
      assertThat(withoutResources(four.submit(() -> result(everything)).get())).isEqualTo(first);
    }
    DiscoveryStudy other = SmallStudies.study(everything);
    assertThat(
            new DiscoveryStudyRun(
                    DiscoveryStudyBuilder.from(other).seed(2).build(), SmallStudies.vectors(other))
                .run(Progress.SILENT)
                .curve())
        .isNotEqualTo(first.curve());
  }

  @Test
  void viewsFindTheNearestPeersAtABoundedCost() {
    DiscoveryResult result = result("rounds=12");
    assertThat(result.recall()).isGreaterThan(0.95).isEqualTo(result.curve().getLast().recall());
    assertThat(result.rounds()).extracting(RoundResult::round).containsExactly(1, 5, 10, 12);
    RoundResult last = result.rounds().getLast();
    assertThat(last.coverage()).isGreaterThan(0.99);
    assertThat(last.isolated()).isZero();
    assertThat(last.connected()).isEqualTo(1);
    // Two exchanges of at most three messages, each with at most ten models.
    assertThat(last.messages()).isBetween(4.0, 6.0);
    assertThat(last.kilobytes()).isBetween(4.0, 6 * 12.0);
    assertThat(last.pulled().askers()).isEqualTo(200);
    assertThat(last.pulled().mean()).isBetween(19.9, 20.0);
    StrangerResult strangers = result.strangers().orElseThrow();
    assertThat(strangers.searches()).isEqualTo(50);
    assertThat(strangers.recall()).isGreaterThan(0.5);
    assertThat(strangers.asked()).isBetween(3.0, 40.0);
    assertThat(strangers.messages()).isBetween(strangers.asked(), 2 * strangers.asked());
    assertThat(result.state().sketchBytes()).isBetween(90 * 1024.0, 101 * 1024.0);
    assertThat(result.accusations()).hasValue(new Accusations(0, 0));
  }

  /** A view of one model and one message of one model cannot hold the nearest twenty. */
  @Test
  void aViewThatDropsNearlyEverythingHasNearlyNoRecall() {
    DiscoveryResult poor =
        result("rounds=12", "views.size=1", "views.reserve=0", "views.models=1", "searches=0");
    assertThat(poor.recall()).isLessThan(0.3);
    assertThat(poor.rounds().getLast().coverage()).isBetween(0.0, 0.051);
  }

  /** A planted bug: every message is lost, so views stay empty. */
  @Test
  void aNetworkThatIsDownFindsNothing() {
    DiscoveryStudy study = SmallStudies.study("rounds=3", "searches=0");
    ViewsRun run = new ViewsRun(study, SmallStudies.vectors(study));
    for (int peer = 0; peer < study.peers(); peer++) {
      run.network().split(peer, peer);
    }
    for (int round = 1; round <= study.rounds(); round++) {
      run.round(round);
    }
    assertThat(run.curve()).extracting(CurvePoint::coverage).containsOnly(0.0);
    assertThat(run.curve().getLast().recall()).isLessThan(0.1);
  }

  private static void assertHealed(ViewsRun run, int from) {
    List<CurvePoint> after = run.curve().stream().filter(point -> point.round() >= from).toList();
    assertThat(after).hasSizeGreaterThanOrEqualTo(15);
    assertThat(after.get(14).recall()).as("round %d", from + 14).isGreaterThan(0.9);
    assertThat(run.measures().isolated()).isZero();
    assertThat(run.measures().connected()).isEqualTo(1);
  }

  @Test
  void viewsHealAfterDrift() {
    ViewsRun run = SmallStudies.run("rounds=26", "drift.at=11");
    assertThat(run.curve().get(9).recall()).isGreaterThan(0.9);
    assertThat(run.curve().get(10).recall()).as("the drift is felt").isLessThan(0.9);
    assertHealed(run, 11);
  }

  /** Also after a split that lasts longer than contacts and models are kept. */
  @ParameterizedTest
  @ValueSource(ints = {15, 50})
  void viewsHealAfterASplit(int to) {
    ViewsRun run =
        SmallStudies.run("rounds=" + (to + 15), "split.from=11", "split.to=" + to, "sampled=50");
    assertThat(run.curve().get(to - 1).recall()).as("the split is felt").isLessThan(0.95);
    assertHealed(run, to + 1);
  }

  @Test
  void viewsHealAfterChurn() {
    DiscoveryStudy study = SmallStudies.study("rounds=30", "churn=0.2", "loss=0.1");
    DiscoveryStudy calm = SmallStudies.study("rounds=30");
    ViewsRun run = new ViewsRun(study, SmallStudies.vectors(study));
    for (int round = 1; round <= 15; round++) {
      run.round(round);
      assertThat(run.measures().isolated()).isZero();
    }
    assertThat(run.curve().getLast().recall()).isBetween(0.5, 0.95);
    NetworkScript quiet =
        new NetworkScript(NetworkScript.Events.of(calm), SmallStudies.vectors(calm), run.network());
    for (int round = 16; round <= 30; round++) {
      quiet.before(round);
      run.network().round();
    }
    for (int peer : run.measures().live()) {
      assertThat(run.network().state(peer).entries())
          .noneMatch(entry -> !run.network().isUp((int) entry.peer().number()));
    }
    assertThat(run.measures().isolated()).isZero();
  }

  /** Otherwise the machine would be loaded by number: all peers once preferred low numbers. */
  @Test
  void contactsPreferNoNumbers() {
    ViewsRun run =
        SmallStudies.run(
            "peers=1000", "rounds=10", "waves=1", "pulls=false", "views.checks=false", "sampled=1");
    double[] known = new double[2];
    for (int peer = 0; peer < 1000; peer++) {
      run.network()
          .state(peer)
          .contacts()
          .forEach(each -> known[each.peer().number() < 500 ? 0 : 1]++);
    }
    assertThat(known[0] / known[1]).isBetween(0.8, 1.25);
  }

  @Test
  void contactsAreSpreadEvenlyAndConnectAllPeersUnderChurn() {
    ViewsRun run =
        SmallStudies.run(
            "peers=2000",
            "rounds=20",
            "churn=0.02",
            "pulls=false",
            "views.checks=false",
            "sampled=1");
    InDegree contacts = run.measures().contactInDegree();
    assertThat(contacts.deviation()).isLessThan(1.2 * Math.sqrt(20));
    assertThat(run.measures().connected()).isEqualTo(1);
    assertThat(run.measures().isolated()).isZero();
  }

  @Test
  void checksKeepLyingPeersOutAndNeverAccuseHonestOnes() {
    DiscoveryResult result =
        result("rounds=20", "moving=true", "liars.share=0.1", "liars.kind=collude", "searches=0");
    LiarRound checked = result.rounds().getLast().liars().orElseThrow();
    LiarRound unchecked = result.withoutChecks().getLast().liars().orElseThrow();
    assertThat(unchecked.pulls()).isGreaterThan(0.25);
    assertThat(checked.pulls()).isLessThan(0.8 * unchecked.pulls());
    assertThat(checked.mostPulled()).isLessThan(unchecked.mostPulled());
    assertThat(result.accusations().orElseThrow().ofHonestPeers()).isZero();
    assertThat(result.accusations().orElseThrow().ofLyingPeers()).isPositive();
  }

  @Test
  void aModelThatChangesInEveryRoundCostsMore() {
    RoundResult still = result("rounds=10", "searches=0").rounds().getLast();
    RoundResult moving = result("rounds=10", "moving=true", "searches=0").rounds().getLast();
    assertThat(moving.coverage()).isGreaterThan(0.9);
    assertThat(moving.kilobytes()).isGreaterThan(0.9 * still.kilobytes());
  }

  @Test
  void settingsThatDoNotFitTogetherAreRefused() {
    assertThatThrownBy(() -> SmallStudies.study("peers=20")).hasMessageContaining("similar peers");
    assertThatThrownBy(() -> SmallStudies.study("split.from=9", "split.to=3"))
        .hasMessageContaining("a split from round 9 to round 3");
    assertThatThrownBy(() -> SmallStudies.study("drift.at=41"))
        .hasMessageContaining("after the last of 40");
    assertThatThrownBy(() -> SmallStudies.study("pulls=false"))
        .hasMessageContaining("no sketch is ever checked");
    DiscoveryStudy head = SmallStudies.study("views.sketch.of=head");
    assertThatThrownBy(() -> new DiscoveryStudyRun(head, SmallStudies.vectors(head)))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("have no layers");
  }
}
