package io.kindred.studies.overlay;

import io.kindred.core.weights.Weights;
import io.kindred.protocol.signature.Cardinality;
import io.kindred.protocol.signature.SignatureRule;
import io.kindred.report.plot.Axis;
import io.kindred.report.plot.LineChart;
import io.kindred.report.plot.Point;
import io.kindred.report.plot.Series;
import io.kindred.report.plot.SeriesStyle;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * How many of a vector's largest entries are needed to keep a given cosine to the whole vector
 * (SemanticDFL, figure 2).
 *
 * @param neededShares for each cosine, the needed share of the entries, over all models
 */
public record CosineRetention(SequencedMap<Double, DoubleSummaryStatistics> neededShares) {
  private static final List<Double> REPORTED_COSINES = List.of(0.5, 0.8, 0.9, 0.95);
  private static final int STEPS = 20;

  public static CosineRetention of(List<Weights> models, SignatureRule rule) {
    SequencedMap<Double, DoubleSummaryStatistics> needed = new TreeMap<>();
    for (int step = 1; step <= STEPS; step++) {
      double cosine = (double) step / STEPS;
      SignatureRule keeping = rule.withRetention(cosine);
      needed.put(
          cosine,
          models.stream()
              .mapToDouble(each -> (double) entries(each, keeping) / each.size())
              .summaryStatistics());
    }
    return new CosineRetention(needed);
  }

  private static int entries(Weights model, SignatureRule rule) {
    return Cardinality.minimum(model, rule.importance(Optional.empty(), model), rule);
  }

  /** One line for each of a few cosines. */
  public String text() {
    StringBuilder text = new StringBuilder();
    for (double cosine : REPORTED_COSINES) {
      DoubleSummaryStatistics share =
          neededShares.getOrDefault(cosine, new DoubleSummaryStatistics());
      text.append(
          String.format(
              Locale.ROOT,
              "cosine %.2f: %.1f %% of the entries (%.1f to %.1f)%n",
              cosine,
              100 * share.getAverage(),
              100 * share.getMin(),
              100 * share.getMax()));
    }
    return text.toString();
  }

  public String svg() {
    return new LineChart(
            "Cosine of a model to its largest entries",
            Axis.percent("entries left out"),
            Axis.amount("cosine"),
            List.of(
                line("model that needs least", 1, DoubleSummaryStatistics::getMin),
                line("mean of the models", 0, DoubleSummaryStatistics::getAverage),
                line("model that needs most", 2, DoubleSummaryStatistics::getMax)))
        .svg();
  }

  private Series line(String name, int style, ToDoubleFunction<DoubleSummaryStatistics> share) {
    List<Point> points = new ArrayList<>();
    neededShares
        .reversed()
        .forEach((cosine, each) -> points.add(Point.of(1 - share.applyAsDouble(each), cosine)));
    return new Series(name, SeriesStyle.of(style), points);
  }
}
