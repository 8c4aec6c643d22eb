package io.kindred.report;

import io.kindred.report.plot.Axis;
import io.kindred.report.plot.Distribution;
import io.kindred.report.plot.LineChart;
import io.kindred.report.plot.Point;
import io.kindred.report.plot.ReferenceLine;
import io.kindred.report.plot.Series;
import io.kindred.report.plot.Size;
import io.kindred.report.plot.SortedBars;
import io.kindred.report.plot.StackedBars;
import io.kindred.report.plot.StripPlot;
import io.kindred.report.run.Evaluations;
import io.kindred.report.run.RunRecord;
import io.kindred.report.run.Stage;
import io.kindred.report.table.Spread;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.SortedMap;
import java.util.function.Function;

/**
 * The figures of a comparison. A figure is left out if no run has its numbers.
 *
 * @param titled whether titles are drawn inside the figures, as separate files need them
 */
record ComparisonFigures(List<MethodRuns> methods, boolean titled) {
  /** More bands than this hide each other; bands over seeds are narrow. */
  private static final int MOST_BANDS = 5;

  static final int MOST_NARROW_BANDS = 8;

  private static final List<String> COMPUTING_KINDS =
      List.of("training", "evaluation", "mixing", "overlay", "other");
  private static final List<String> VIRTUAL_TIME_KINDS =
      List.of("training", "communication", "search");

  /** Results first, then their costs, then the artifacts of the runs. */
  static List<Figure> all(List<MethodRuns> methods, Optional<TableChart> chart, boolean titled) {
    List<Figure> figures = new ArrayList<>();
    chart.flatMap(each -> each.figure(titled)).ifPresent(figures::add);
    figures.addAll(new ComparisonFigures(methods, titled).all());
    figures.addAll(new PullFigures(methods, titled).all());
    figures.addAll(new ArtifactFigures(methods, titled).all());
    return figures;
  }

  private List<Figure> all() {
    List<Figure> figures = new ArrayList<>();
    accuracy().ifPresent(figures::add);
    overTime(
            "common-accuracy-over-time",
            "Accuracy on the common test set over time",
            Axis.percent("accuracy on the common test set"),
            RunRecord::globalAccuracies)
        .ifPresent(figures::add);
    overTime(
            "position-error-over-time",
            "Error of positions over time",
            Axis.amount("millimetres"),
            run -> run.evaluations().figure(Evaluations.MILLIMETRES))
        .ifPresent(figures::add);
    overTime(
            "direction-error-over-time",
            "Error of directions over time",
            Axis.amount("degrees"),
            run -> run.evaluations().figure(Evaluations.DEGREES))
        .ifPresent(figures::add);
    purity().ifPresent(figures::add);
    distribution().ifPresent(figures::add);
    gains().ifPresent(figures::add);
    accuracyOverBytes().ifPresent(figures::add);
    bytesPerRound().ifPresent(figures::add);
    timeBreakdown(
            "time",
            "time-breakdown",
            "Where the computing time went",
            COMPUTING_KINDS,
            "Wall seconds of all worker and event threads added up")
        .ifPresent(figures::add);
    timeBreakdown(
            "virtualSeconds",
            "virtual-time",
            "Where the simulated time of a round went",
            VIRTUAL_TIME_KINDS,
            "Simulated seconds of a peer's round, by activity; communication includes waiting for"
                + " peers that are not ready yet")
        .ifPresent(figures::add);
    return figures;
  }

  private Optional<Figure> accuracy() {
    boolean overSeeds = methods.stream().allMatch(method -> method.runs().size() > 1);
    boolean banded = methods.size() <= (overSeeds ? MOST_NARROW_BANDS : MOST_BANDS);
    List<Series> series = new ArrayList<>();
    for (MethodRuns method : methods) {
      List<Point> points = method.accuracyByRound(overSeeds);
      if (points.stream().anyMatch(point -> Double.isFinite(point.y()))) {
        series.add(
            new Series(method.name(), method.style(), banded ? points : withoutSpread(points)));
      }
    }
    if (series.isEmpty()) {
      return Optional.empty();
    }
    String title = "Accuracy over rounds";
    String svg =
        new LineChart(titleIfShown(title), Axis.whole("round"), meanAccuracy(), series).svg();
    String caption =
        stageDescription()
            + (personalized() ? " A personal phase after the last round is not included." : "")
            + (seeded() ? " Lines are means over peers and seeds" : " Lines are means over peers")
            + (banded
                ? "; bands reach one standard deviation over "
                    + (overSeeds ? "seeds" : "peers")
                    + " to either side."
                : ".");
    return Optional.of(new Figure("accuracy-over-rounds", title, caption, svg));
  }

  /** A metric on the common test set that was measured in more than one round. */
  private Optional<Figure> overTime(
      String name,
      String title,
      Axis axis,
      Function<RunRecord, SortedMap<Integer, Double>> measure) {
    boolean banded = methods.size() <= MOST_NARROW_BANDS;
    List<Series> series = new ArrayList<>();
    for (MethodRuns method : methods) {
      List<Point> points = method.pointsOverTime(measure);
      if (points.size() > 1) {
        series.add(
            new Series(method.name(), method.style(), banded ? points : withoutSpread(points)));
      }
    }
    if (series.isEmpty()) {
      return Optional.empty();
    }
    String svg =
        new LineChart(titleIfShown(title), Axis.seconds("simulated time"), axis, series).svg();
    String caption =
        "Common test set, mean over peers"
            + (seeded() ? " and seeds" : "")
            + (seeded() && banded
                ? "; bands reach one standard deviation over seeds to either side."
                : ".");
    return Optional.of(new Figure(name, title, caption, svg));
  }

  /** How much of what peers mix comes from their own planted group. */
  private Optional<Figure> purity() {
    List<Series> series = new ArrayList<>();
    for (MethodRuns method : methods) {
      List<Point> points =
          method.pointsByRound(run -> run.evaluations().figure(Evaluations.PURITY));
      if (points.size() > 1) {
        series.add(new Series(method.name(), method.style(), points));
      }
    }
    if (series.isEmpty()) {
      return Optional.empty();
    }
    String title = "Purity over rounds";
    String svg =
        new LineChart(
                titleIfShown(title),
                Axis.whole("round"),
                Axis.percent("share of the pulled weight, mean over peers"),
                series)
            .svg();
    String caption =
        "Share of the weight of pulled models that comes from peers of the own planted group, mean"
            + " over peers"
            + (seeded() ? " and seeds." : ".")
            + " Peers that pull at random reach the share of their group among all peers.";
    return Optional.of(new Figure("purity-over-rounds", title, caption, svg));
  }

  /** Figures are also shown without captions, so the label states an unusual evaluation itself. */
  private Axis meanAccuracy() {
    String samples = MethodRuns.evaluatedOn(methods);
    return Axis.percent(
        "accuracy"
            + (samples.equals("test") ? "" : " on " + samples + " samples")
            + ", mean over peers");
  }

  private String stageDescription() {
    SequencedSet<Stage> stages = new LinkedHashSet<>();
    methods.forEach(method -> stages.add(method.first().mainStage()));
    String samples = "Own " + MethodRuns.evaluatedOn(methods) + " samples of each peer";
    if (stages.size() > 1 || stages.getFirst() == Stage.FINAL) {
      return samples + ".";
    }
    return samples
        + (stages.getFirst() == Stage.MIXED
            ? ", after mixing: what the peer would deploy."
            : ", after the round's own training.");
  }

  private boolean personalized() {
    return methods.stream().anyMatch(method -> !method.first().rows(Stage.FINAL).isEmpty());
  }

  private static List<Point> withoutSpread(List<Point> points) {
    return points.stream().map(point -> Point.of(point.x(), point.y())).toList();
  }

  private Optional<Figure> distribution() {
    List<Distribution> distributions = new ArrayList<>();
    for (MethodRuns method : methods) {
      List<Double> values = method.lastAccuracies();
      if (!values.isEmpty()) {
        distributions.add(new Distribution(method.name(), method.style(), values));
      }
    }
    if (distributions.isEmpty()) {
      return Optional.empty();
    }
    String title = "Accuracy of each peer at the end";
    String svg = new StripPlot(titleIfShown(title), Axis.percent("accuracy"), distributions).svg();
    String caption =
        "Each dot is a peer"
            + (seeded() ? " in one seed" : "")
            + ". Boxes span the middle half, whiskers the 10th to the 90th percentile; the bar is"
            + " the median, the diamond the mean.";
    return Optional.of(new Figure("accuracy-per-peer", title, caption, svg));
  }

  private Optional<Figure> gains() {
    List<SortedBars.Panel> panels = Gains.againstLocal(methods);
    if (panels.isEmpty()) {
      return Optional.empty();
    }
    String title = "Gain or loss of each peer against training alone";
    Axis axis = Axis.points("accuracy minus local, percentage points");
    String caption =
        "Each bar is a peer at the end, compared with the same peer in the local run of the same"
            + " seed; bars are sorted from the largest gain to the largest loss.";
    String svg = new SortedBars(titleIfShown(title), axis, panels).svg();
    return Optional.of(new Figure("gain-against-local", title, caption, svg));
  }

  private Optional<Figure> accuracyOverBytes() {
    List<Series> series = new ArrayList<>();
    List<ReferenceLine> referenceLines = new ArrayList<>();
    for (MethodRuns method : methods) {
      List<Point> points = method.accuracyByBytes();
      if (points.stream().anyMatch(point -> point.x() > 0)) {
        series.add(new Series(method.name(), method.style(), points));
      } else if (!points.isEmpty()) {
        String name = method.name() + ", no traffic";
        referenceLines.add(new ReferenceLine(name, method.style(), points.getLast().y()));
      }
    }
    if (series.isEmpty()) {
      return Optional.empty();
    }
    String title = "Accuracy over bytes sent";
    String svg =
        new LineChart(
                titleIfShown(title),
                Axis.bytes("model bytes sent per peer so far"),
                meanAccuracy(),
                series,
                referenceLines,
                Size.STANDARD)
            .svg();
    String caption =
        "Model bytes only, retries included; every marker is an evaluated round."
            + (referenceLines.isEmpty()
                ? ""
                : " A horizontal line shows the last round of a method that sends no models.");
    return Optional.of(new Figure("accuracy-over-bytes", title, caption, svg));
  }

  private Optional<Figure> bytesPerRound() {
    List<StackedBars.Stack> stacks = new ArrayList<>();
    for (MethodRuns method : methods) {
      StackedBars.Stack stack =
          new StackedBars.Stack(
              method.name(),
              List.of(
                  new StackedBars.Part("models", method.modelBytesPerPeerAndRound().mean()),
                  new StackedBars.Part(
                      "other messages", method.controlBytesPerPeerAndRound().mean())));
      if (!stack.isBlank()) {
        stacks.add(stack);
      }
    }
    if (stacks.isEmpty()) {
      return Optional.empty();
    }
    String title = "Bytes sent in a round";
    String svg = new StackedBars(titleIfShown(title), Axis.bytes(""), stacks).svg();
    String caption =
        "Bytes sent per peer and round at true wire sizes, those of servers included"
            + (seeded() ? ", mean over seeds." : ".");
    return Optional.of(new Figure("bytes-per-round", title, caption, svg));
  }

  private Optional<Figure> timeBreakdown(
      String path, String name, String title, List<String> kinds, String caption) {
    List<StackedBars.Stack> stacks = new ArrayList<>();
    for (MethodRuns method : methods) {
      List<StackedBars.Part> parts = new ArrayList<>();
      for (String kind : kinds) {
        Spread seconds = method.spreadOver(run -> run.summary().number(path + "." + kind));
        parts.add(new StackedBars.Part(kind, seconds.mean()));
      }
      StackedBars.Stack stack = new StackedBars.Stack(method.name(), parts);
      if (!stack.isBlank()) {
        stacks.add(stack);
      }
    }
    if (stacks.isEmpty()) {
      return Optional.empty();
    }
    String svg = new StackedBars(titleIfShown(title), Axis.seconds(""), stacks).svg();
    return Optional.of(
        new Figure(name, title, caption + (seeded() ? ", mean over seeds." : "."), svg));
  }

  private boolean seeded() {
    return methods.stream().anyMatch(method -> method.runs().size() > 1);
  }

  private String titleIfShown(String title) {
    return titled ? title : "";
  }
}
