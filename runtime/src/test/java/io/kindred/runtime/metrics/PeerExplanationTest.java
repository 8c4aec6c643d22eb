package io.kindred.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.Observation.MixedModel;
import io.kindred.core.peer.PeerId;
import io.kindred.methods.kin.Choice;
import io.kindred.runtime.metrics.MetricLine.MixedLine;
import io.kindred.runtime.metrics.PeerExplanation.PulledWeight;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PeerExplanationTest {
  private static final PeerGroups TWO_GROUPS =
      new PeerGroups(PeerGroups.Kind.PLANTED, List.of(0, 0, 1, 1, PeerGroups.UNKNOWN));

  private static final Map<String, Double> SCORES =
      Map.of(
          "choice", 1.0,
          "scoreShared", 0.27,
          "scorePersonal", 0.21,
          "scoreAlone", 0.35,
          "scoreEnsemble", 0.23,
          "decisivePersonal", -0.05);

  private static MetricLine line(
      int round, String stage, Map<String, Double> extra, @Nullable List<MixedLine> mixed) {
    return new MetricLine(
        round, 0, stage, 0.5, 0.9, 10, null, 1, 2, 3, 4, new TreeMap<>(extra), mixed, null);
  }

  private static MixedLine mixed(long peer, double weight, @Nullable String guard) {
    return new MixedLine(peer, 1, weight, 20, guard);
  }

  private static Optional<PeerExplanations> explain(MetricLine... lines) {
    PeerExplanations.Collector collector = new PeerExplanations.Collector();
    Arrays.stream(lines).forEach(collector::add);
    return collector.explanations(Optional.of(TWO_GROUPS));
  }

  @Test
  void aChoiceIsExplainedByTheLossesAndTheLargestWeights() {
    PeerExplanation explanation =
        explain(
                line(
                    9,
                    "mixed",
                    SCORES,
                    List.of(
                        mixed(4, 0.3, null),
                        mixed(17, 0.2, null),
                        mixed(31, 0.1, null),
                        mixed(5, 0.05, null))))
            .orElseThrow()
            .of(0)
            .orElseThrow();
    assertThat(explanation.sentence())
        .isEqualTo(
            "deploys its personal model: held-out loss 0.21 against 0.27 shared, 0.35 alone,"
                + " 0.23 ensemble; learned most from peers 4, 17, 31");
    assertThat(explanation.choice()).contains("personal");
    assertThat(explanation.group()).contains(0);
  }

  /** (0.2 + 0) / 2 and (0.1 + 0.4) / 2: peer 3 comes first although peer 2 came first in time. */
  @Test
  void weightsAreMeansOverTheLastRounds() {
    PeerExplanation explanation =
        explain(
                line(
                    1, "mixed", Map.of(), List.of(mixed(2, 0.2, null), mixed(3, 0.1, "shortened"))),
                line(2, "mixed", Map.of(), List.of(mixed(2, 0, "dropped"), mixed(3, 0.4, null))))
            .orElseThrow()
            .of(0)
            .orElseThrow();
    assertThat(explanation.pulled())
        .containsExactly(new PulledWeight(3, 0.25), new PulledWeight(2, 0.1));
    assertThat(explanation.sentence())
        .isEqualTo("learned most from peers 3, 2; the guard dropped 1 and shortened 1 of 4 models");
  }

  @Test
  void onlyTheLastFiveEvaluatedRoundsCount() {
    PeerExplanation explanation =
        explain(
                line(1, "mixed", Map.of(), List.of(mixed(1, 0.9, null))),
                line(2, "mixed", Map.of(), List.of(mixed(2, 0.5, null))),
                line(3, "mixed", Map.of(), List.of()),
                line(4, "mixed", Map.of(), List.of()),
                line(5, "mixed", Map.of(), List.of()),
                line(6, "mixed", Map.of(), List.of()),
                line(6, "trained", Map.of(), List.of(mixed(3, 0.5, null))))
            .orElseThrow()
            .of(0)
            .orElseThrow();
    assertThat(explanation.pulled()).containsExactly(new PulledWeight(2, 0.1));
    assertThat(explanation.sentence()).isEqualTo("learned from peer 2");
  }

  @Test
  void aChoiceAgainstTheOwnLossesNamesThePeers() {
    Map<String, Double> extra = new TreeMap<>(SCORES);
    extra.put("choice", 2.0);
    assertThat(explain(line(3, "mixed", extra, null)).orElseThrow().of(0).orElseThrow().sentence())
        .isEqualTo(
            "deploys the model that it trained alone, which is the best on the held-out samples of"
                + " all peers around it; its own held-out loss 0.35 against 0.27 shared,"
                + " 0.21 personal, 0.23 ensemble; mixed in no model of another peer in round 3");
  }

  @Test
  void methodsThatReportNothingAreNotExplained() {
    assertThat(explain(line(3, "mixed", Map.of("cluster", 1.0), null))).isEmpty();
  }

  @Test
  void choicesHaveTheNumbersOfKin() {
    assertThat(PeerExplanation.CHOICES)
        .isEqualTo(
            Arrays.stream(Choice.values())
                .map(each -> each.name().toLowerCase(Locale.ROOT))
                .toList());
  }

  /** 0.1 of 0.1 + 0.3 stays in the group; peer 4's group is not known, so it does not count. */
  @Test
  void purityIsTheShareOfTheOwnGroup() {
    List<MixedModel> models =
        List.of(model(1, 0.1), model(2, 0.3), model(3, 0), model(4, 0.2), model(9, 0.2));
    assertThat(TWO_GROUPS.purity(new PeerId(0), models)).hasValue(0.1 / 0.4);
    assertThat(TWO_GROUPS.purity(new PeerId(2), models)).hasValue(0.3 / 0.4);
    assertThat(TWO_GROUPS.purity(new PeerId(4), models)).isEmpty();
    assertThat(TWO_GROUPS.purity(new PeerId(0), List.of(model(1, 0)))).isEmpty();
  }

  private static MixedModel model(int peer, double weight) {
    return new MixedModel(new PeerId(peer), 1, weight, 5, MixedModel.Treatment.FULL);
  }
}
