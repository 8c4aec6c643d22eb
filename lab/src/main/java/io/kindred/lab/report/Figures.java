package io.kindred.lab.report;

import io.kindred.lab.plot.Axis;
import io.kindred.lab.plot.Level;
import io.kindred.lab.plot.LineChart;
import io.kindred.lab.plot.Point;
import io.kindred.lab.plot.Sample;
import io.kindred.lab.plot.Series;
import io.kindred.lab.plot.Size;
import io.kindred.lab.plot.SortedBars;
import io.kindred.lab.plot.StackedBars;
import io.kindred.lab.plot.StripPlot;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.SortedMap;
import java.util.function.Function;

/**
 * The figures of a comparison. A figure whose numbers no run holds is left out.
 *
 * @param titled whether titles are drawn inside the figures, as separate files need them
 */
record Figures(List<MethodRuns> methods, boolean titled) {
  /** More bands than this cover each other; over seeds they are narrow. */
  private static final int MOST_BANDS = 5;

  static final int MOST_NARROW_BANDS = 8;

  private static final List<String> WORK =
      List.of("training", "evaluation", "mixing", "overlay", "other");
  private static final List<String> VIRTUAL = List.of("training", "communication", "search");

  /** Results first, then what they cost, then what runs look like inside. */
  static List<Figure> all(List<MethodRuns> methods, Optional<TableChart> chart, boolean titled) {
    List<Figure> figures = new ArrayList<>();
    chart.flatMap(each -> each.figure(titled)).ifPresent(figures::add);
    figures.addAll(new Figures(methods, titled).all());
    figures.addAll(new InsideFigures(methods, titled).all());
    return figures;
  }

  private List<Figure> all() {
    List<Figure> figures = new ArrayList<>();
    accuracy().ifPresent(figures::add);
    course(
            "common-accuracy-over-time",
            "Accuracy on the common test set over time",
            Axis.percent("accuracy on the common test set"),
            RunRecord::commonAccuracies)
        .ifPresent(figures::add);
    course(
            "position-error-over-time",
            "Error of positions over time",
            Axis.amount("millimetres"),
            run -> run.evaluations().error(Evaluations.MILLIMETRES))
        .ifPresent(figures::add);
    course(
            "direction-error-over-time",
            "Error of directions over time",
            Axis.amount("degrees"),
            run -> run.evaluations().error(Evaluations.DEGREES))
        .ifPresent(figures::add);
    distribution().ifPresent(figures::add);
    gains().ifPresent(figures::add);
    traffic().ifPresent(figures::add);
    load().ifPresent(figures::add);
    time(
            "time",
            "time-breakdown",
            "Where the computing time went",
            WORK,
            "Wall seconds of all worker and event threads added up")
        .ifPresent(figures::add);
    time(
            "virtualSeconds",
            "virtual-time",
            "Where the simulated time of a round went",
            VIRTUAL,
            "Simulated seconds of a peer's round, by what they are spent on; communication includes"
                + " waiting for those who are not ready yet")
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
        series.add(new Series(method.name(), method.look(), banded ? points : bare(points)));
      }
    }
    if (series.isEmpty()) {
      return Optional.empty();
    }
    String title = "Accuracy over rounds";
    String svg = new LineChart(drawn(title), Axis.whole("round"), meanAccuracy(), series).svg();
    String caption =
        stageWords()
            + (personalized() ? " A personal phase after the last round is not in them." : "")
            + (seeded() ? " Lines are means over peers and seeds" : " Lines are means over peers")
            + (banded
                ? "; bands reach one standard deviation over "
                    + (overSeeds ? "seeds" : "peers")
                    + " to either side."
                : ".");
    return Optional.of(new Figure("accuracy-over-rounds", title, caption, svg));
  }

  /** Something measured on the common test set in more rounds than one. */
  private Optional<Figure> course(
      String name,
      String title,
      Axis axis,
      Function<RunRecord, SortedMap<Integer, Double>> measure) {
    boolean banded = methods.size() <= MOST_NARROW_BANDS;
    List<Series> series = new ArrayList<>();
    for (MethodRuns method : methods) {
      List<Point> points = method.course(measure);
      if (points.size() > 1) {
        series.add(new Series(method.name(), method.look(), banded ? points : bare(points)));
      }
    }
    if (series.isEmpty()) {
      return Optional.empty();
    }
    String svg = new LineChart(drawn(title), Axis.seconds("simulated time"), axis, series).svg();
    String caption =
        "Common test set, mean over peers"
            + (seeded() ? " and seeds" : "")
            + (seeded() && banded
                ? "; bands reach one standard deviation over seeds to either side."
                : ".");
    return Optional.of(new Figure(name, title, caption, svg));
  }

  /** Figures are shown without their captions, too: what is unusual stands in them. */
  private Axis meanAccuracy() {
    String samples = MethodRuns.triedOn(methods);
    return Axis.percent(
        "accuracy"
            + (samples.equals("test") ? "" : " on " + samples + " samples")
            + ", mean over peers");
  }

  private String stageWords() {
    SequencedSet<Stage> stages = new LinkedHashSet<>();
    methods.forEach(method -> stages.add(method.first().mainStage()));
    String samples = "Own " + MethodRuns.triedOn(methods) + " samples of each peer";
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

  private static List<Point> bare(List<Point> points) {
    return points.stream().map(point -> Point.of(point.x(), point.y())).toList();
  }

  private Optional<Figure> distribution() {
    List<Sample> samples = new ArrayList<>();
    for (MethodRuns method : methods) {
      List<Double> values = method.lastAccuracies();
      if (!values.isEmpty()) {
        samples.add(new Sample(method.name(), method.look(), values));
      }
    }
    if (samples.isEmpty()) {
      return Optional.empty();
    }
    String title = "Accuracy of each peer in the end";
    String svg = new StripPlot(drawn(title), Axis.percent("accuracy"), samples).svg();
    String caption =
        "A dot is a peer"
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
    String title = "Who gains, who loses against training alone";
    Axis axis = Axis.points("accuracy minus local, percentage points");
    String caption =
        "A bar is a peer, compared with itself in the local run of the same seed, in the end;"
            + " sorted from the largest gain to the largest loss.";
    String svg = new SortedBars(drawn(title), axis, panels).svg();
    return Optional.of(new Figure("gain-against-local", title, caption, svg));
  }

  private Optional<Figure> traffic() {
    List<Series> series = new ArrayList<>();
    List<Level> levels = new ArrayList<>();
    for (MethodRuns method : methods) {
      List<Point> points = method.accuracyByBytes();
      if (points.stream().anyMatch(point -> point.x() > 0)) {
        series.add(new Series(method.name(), method.look(), points));
      } else if (!points.isEmpty()) {
        String name = method.name() + ", no traffic";
        levels.add(new Level(name, method.look(), points.getLast().y()));
      }
    }
    if (series.isEmpty()) {
      return Optional.empty();
    }
    String title = "Accuracy for the bytes sent";
    String svg =
        new LineChart(
                drawn(title),
                Axis.bytes("model bytes sent per peer so far"),
                meanAccuracy(),
                series,
                levels,
                Size.STANDARD)
            .svg();
    String caption =
        "Model bytes only, retries included; every marker lies on an evaluated round."
            + (levels.isEmpty()
                ? ""
                : " A level line shows the last round of a method that sends" + " no models.");
    return Optional.of(new Figure("accuracy-over-bytes", title, caption, svg));
  }

  private Optional<Figure> load() {
    List<StackedBars.Stack> stacks = new ArrayList<>();
    for (MethodRuns method : methods) {
      StackedBars.Stack stack =
          new StackedBars.Stack(
              method.name(),
              List.of(
                  new StackedBars.Part("models", method.modelBytesPerPeerAndRound().mean()),
                  new StackedBars.Part(
                      "other messages", method.controlBytesPerPeerAndRound().mean())));
      if (!stack.blank()) {
        stacks.add(stack);
      }
    }
    if (stacks.isEmpty()) {
      return Optional.empty();
    }
    String title = "What a round costs in bytes";
    String svg = new StackedBars(drawn(title), Axis.bytes(""), stacks).svg();
    String caption =
        "Bytes sent per peer and round at true wire sizes, by servers too"
            + (seeded() ? ", mean over seeds." : ".");
    return Optional.of(new Figure("bytes-per-round", title, caption, svg));
  }

  private Optional<Figure> time(
      String path, String name, String title, List<String> kinds, String caption) {
    List<StackedBars.Stack> stacks = new ArrayList<>();
    for (MethodRuns method : methods) {
      List<StackedBars.Part> parts = new ArrayList<>();
      for (String kind : kinds) {
        Spread seconds = method.over(run -> run.summary().number(path + "." + kind));
        parts.add(new StackedBars.Part(kind, seconds.mean()));
      }
      StackedBars.Stack stack = new StackedBars.Stack(method.name(), parts);
      if (!stack.blank()) {
        stacks.add(stack);
      }
    }
    if (stacks.isEmpty()) {
      return Optional.empty();
    }
    String svg = new StackedBars(drawn(title), Axis.seconds(""), stacks).svg();
    return Optional.of(
        new Figure(name, title, caption + (seeded() ? ", mean over seeds." : "."), svg));
  }

  private boolean seeded() {
    return methods.stream().anyMatch(method -> method.runs().size() > 1);
  }

  private String drawn(String title) {
    return titled ? title : "";
  }
}
