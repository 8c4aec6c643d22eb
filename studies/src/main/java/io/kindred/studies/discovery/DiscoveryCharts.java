package io.kindred.studies.discovery;

import io.kindred.report.plot.Axis;
import io.kindred.report.plot.LineChart;
import io.kindred.report.plot.Point;
import io.kindred.report.plot.Series;
import io.kindred.report.plot.SeriesStyle;
import io.kindred.studies.discovery.DiscoveryResult.ComparisonResult;
import io.kindred.studies.discovery.DiscoveryResult.OverlaySearch;
import io.kindred.studies.discovery.DiscoveryResult.RoundResult;
import io.kindred.studies.discovery.DiscoveryResult.UnguidedSearch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The pictures of a discovery study. */
public record DiscoveryCharts(DiscoveryResult result) {
  /** Recall over rounds; with lying peers also their share of the pulls. */
  public String overRounds() {
    List<Series> lines = new ArrayList<>();
    lines.add(
        new Series(
            "recall",
            SeriesStyle.of(0),
            result.curve().stream().map(each -> Point.of(each.round(), each.recall())).toList()));
    lines.add(
        new Series(
            "nearest peers in the view",
            SeriesStyle.of(1),
            result.curve().stream().map(each -> Point.of(each.round(), each.coverage())).toList()));
    if (result.settings().liars().share() > 0) {
      lines.add(liars("pulls that go to liars", 2, result.rounds()));
      lines.add(liars("the same without checks", 3, result.withoutChecks()));
    }
    return new LineChart(
            "Similar peers found by " + result.settings().peers() + " gossiped views",
            Axis.whole("round"),
            Axis.percent("share"),
            lines)
        .svg();
  }

  private static Series liars(String name, int style, List<RoundResult> rounds) {
    return new Series(
        name,
        SeriesStyle.of(style),
        rounds.stream()
            .map(each -> Point.of(each.round(), each.liars().orElseThrow().pulls()))
            .toList());
  }

  /** Recall over what a peer has sent; with a comparison, also of other searches. */
  public String overKilobytes() {
    List<Series> lines = new ArrayList<>();
    lines.add(
        new Series(
            "views",
            SeriesStyle.of(0),
            result.curve().stream()
                .map(each -> Point.of(each.totalKilobytes(), each.recall()))
                .toList()));
    result.comparison().ifPresent(each -> addComparison(lines, each));
    return new LineChart(
            "Recall for the kilobytes that a peer sends",
            Axis.amount("kB a peer, if every peer asks once"),
            Axis.percent("recall"),
            lines)
        .svg();
  }

  private static void addComparison(List<Series> lines, ComparisonResult comparison) {
    for (String reading :
        comparison.overlay().stream().map(OverlaySearch::reading).distinct().toList()) {
      lines.add(
          new Series(
              "overlay, beam per " + reading,
              SeriesStyle.of(lines.size()),
              comparison.overlay().stream()
                  .filter(each -> each.reading().equals(reading))
                  .map(
                      each ->
                          Point.of(comparison.buildKilobytes() + each.kilobytes(), each.recall()))
                  .sorted(Comparator.comparingDouble(Point::x))
                  .toList()));
    }
    lines.add(unguided("flooding", lines.size(), comparison, UnguidedSearch::flooding));
    lines.add(unguided("random probing", lines.size(), comparison, UnguidedSearch::probing));
  }

  private static Series unguided(
      String name,
      int style,
      ComparisonResult comparison,
      ToDoubleFunction<UnguidedSearch> recall) {
    return new Series(
        name,
        SeriesStyle.of(style),
        comparison.unguided().stream()
            .map(each -> Point.of(each.kilobytes(), recall.applyAsDouble(each)))
            .toList());
  }
}
