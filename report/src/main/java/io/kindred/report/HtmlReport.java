package io.kindred.report;

import io.kindred.report.run.RunProgress;
import io.kindred.report.run.RunRecord;
import io.kindred.report.run.Stage;
import io.kindred.report.table.Html;
import io.kindred.report.table.Table;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One self-contained HTML page about one or several runs; equal runs give equal bytes.
 *
 * @param chart the chart of the grid whose cells the runs are
 */
public record HtmlReport(
    String title, List<RunRecord> runs, List<Double> targets, Optional<TableChart> chart) {
  private static final String STYLE = resource("report.css");
  private static final String MEASURES_NOTE =
      "At the last round, on test samples. Columns without “all” are means over peers, so that"
          + " every peer counts alike; “all” takes the test samples of all peers together, each"
          + " judged by its own peer's model. “Balanced” is the mean over classes of the share"
          + " recognized, “macro F1” the mean of the classes' F1 scores; “AUC”, for two classes, is"
          + " how often the second class gets the higher score in a pair of samples of one peer."
          + " “MAE” and “RMSE” are the mean absolute error and the root of the mean squared error,"
          + " in the unit of the target.";
  private static final String COSTS_NOTE =
      "“to n %” is the first evaluated round whose mean accuracy reaches n %, “virtual s” is"
          + " simulated time and “wall s” real time. Per peer and round: models pulled from other"
          + " peers, and bytes of models and messages sent, those of servers included; epochs that"
          + " it trains, by all samples that it has. “Models held” is the largest number of weight"
          + " vectors (models, velocities, averages, received models) that the first peer held at"
          + " the end of a round. A dash means not reached or not recorded.";

  public HtmlReport {
    runs = List.copyOf(runs);
    targets = List.copyOf(targets);
  }

  /** With the targets that the runs report. */
  public HtmlReport(String title, List<RunRecord> runs) {
    this(title, runs, List.of(), Optional.empty());
  }

  /** Writes the page to a file. */
  public void write(Path file) throws IOException {
    Files.writeString(file, render(), StandardCharsets.UTF_8);
  }

  /** The page as text. */
  public String render() {
    Comparison comparison = Comparison.of(runs, targets);
    StringBuilder out = new StringBuilder(1 << 16);
    out.append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        .append("<meta name=\"color-scheme\" content=\"light dark\">\n<title>")
        .append(Html.escape(title))
        .append("</title>\n<style>\n")
        .append(STYLE)
        .append("</style>\n</head>\n<body>\n<main>\n");
    appendHeader(out, comparison);
    appendTables(out, comparison);
    int number = 1;
    for (Figure figure : ComparisonFigures.all(comparison.methods(), chart, false)) {
      appendFigure(out, figure, number++);
    }
    out.append(new DeploymentSection(comparison.methods()).html());
    appendRuns(out);
    return out.append("</main>\n</body>\n</html>\n").toString();
  }

  private void appendHeader(StringBuilder out, Comparison comparison) {
    out.append("<header>\n<p class=\"eyebrow\">Kindred run report</p>\n<h1>")
        .append(Html.escape(title))
        .append("</h1>\n<p class=\"summary\">")
        .append(Html.escape(new Findings(comparison).paragraph()))
        .append("</p>\n");
    List<String> facts = facts(comparison.methods());
    if (!facts.isEmpty()) {
      out.append("<dl class=\"facts\">\n");
      facts.forEach(out::append);
      out.append("</dl>\n");
    }
    out.append("</header>\n");
  }

  private static List<String> facts(List<MethodRuns> methods) {
    List<String> facts = new ArrayList<>();
    for (String key : List.of("dataset", "model", "partition", "topology", "peers", "rounds")) {
      String value = Findings.values(methods, key);
      if (!value.isEmpty()) {
        facts.add(
            "<div><dt>" + Html.escape(key) + "</dt><dd>" + Html.escape(value) + "</dd></div>\n");
      }
    }
    return facts;
  }

  private static void appendTables(StringBuilder out, Comparison comparison) {
    Table results = comparison.tables().getFirst();
    Table costs = comparison.tables().getLast();
    appendTable(out, "Comparison", results, resultsNote(comparison));
    Table measures = comparison.measures();
    if (measures.columns().stream().anyMatch(each -> each.header().startsWith("all: "))) {
      appendTable(out, "Measures", measures, MEASURES_NOTE);
    }
    if (costs.columns().size() > 1) {
      appendTable(out, "Costs", costs, COSTS_NOTE);
    }
  }

  private static void appendTable(StringBuilder out, String heading, Table table, String note) {
    out.append("<section>\n<h2>")
        .append(heading)
        .append("</h2>\n<div class=\"wide\">\n")
        .append(table.html())
        .append("</div>\n<p class=\"note\">")
        .append(note)
        .append("</p>\n</section>\n");
  }

  private static String resultsNote(Comparison comparison) {
    List<MethodRuns> methods = comparison.methods();
    boolean mixed = methods.stream().allMatch(m -> m.first().mainStage() == Stage.MIXED);
    boolean ranked = comparison.comparable() && methods.size() > 1;
    boolean seeds = methods.stream().anyMatch(m -> m.runs().size() > 1);
    return "Accuracy: mean over peers at the last round, on own "
        + MethodRuns.evaluatedOn(methods)
        + " samples"
        + (mixed
            ? ", after mixing (what a peer would deploy), or after a personal phase if there is one"
            : "")
        + "; std and p10 are the standard deviation and the tenth percentile over peers."
        + " “trained” is the accuracy before mixing, “global” the accuracy on a common test set."
        + (pure(methods)
            ? " “Purity” is the share of the weight of pulled models from the own planted group."
            : "")
        + (ranked ? " Best values are bold." : "")
        + (seeds ? " ± is the standard deviation over seeds." : "")
        + " A dash means not recorded.";
  }

  private static boolean pure(List<MethodRuns> methods) {
    return methods.stream()
        .flatMap(method -> method.runs().stream())
        .anyMatch(run -> Double.isFinite(run.summary().number("extra.purity")));
  }

  private static void appendFigure(StringBuilder out, Figure figure, int number) {
    out.append("<section id=\"")
        .append(Html.escape(figure.name()))
        .append("\">\n<h2>")
        .append(Html.escape(figure.title()))
        .append("</h2>\n<figure>\n<div class=\"wide\">\n")
        .append(figure.svg())
        .append("</div>\n<figcaption><b>Figure ")
        .append(number)
        .append(".</b> ")
        .append(Html.escape(figure.caption()))
        .append("</figcaption>\n</figure>\n</section>\n");
  }

  private void appendRuns(StringBuilder out) {
    out.append("<section class=\"runs\">\n<h2>Runs and how to repeat them</h2>\n");
    for (RunRecord run : runs) {
      appendRun(out, run);
    }
    out.append("</section>\n");
  }

  private static void appendRun(StringBuilder out, RunRecord run) {
    String seed = run.seed().isEmpty() ? "" : ", seed " + run.seed();
    out.append("<article>\n<h3>").append(Html.escape(run.method() + seed));
    if (!run.finished()) {
      out.append(" <span class=\"unfinished\">unfinished</span>");
    }
    out.append("</h3>\n<pre class=\"command\"><code>")
        .append(Html.escape(run.command()))
        .append("</code></pre>\n");
    appendHash(out, "Trace hash", run.summary().text("traceHash"));
    appendHash(out, "Result hash", run.summary().text("resultHash"));
    run.progress().ifPresent(reached -> appendProgress(out, reached));
    for (String note : run.notes()) {
      out.append("<p class=\"note\">").append(Html.escape(note)).append("</p>\n");
    }
    if (!run.configuration().isBlank()) {
      out.append("<details>\n<summary>Configuration</summary>\n<pre><code>")
          .append(Html.escape(run.configuration().strip()))
          .append("</code></pre>\n</details>\n");
    }
    out.append("</article>\n");
  }

  private static void appendHash(StringBuilder out, String name, String hash) {
    if (!hash.isEmpty()) {
      out.append("<p class=\"note\">")
          .append(name)
          .append(" <code>")
          .append(Html.escape(hash))
          .append("</code>: a repeated run must have the same hash.</p>\n");
    }
  }

  private static void appendProgress(StringBuilder out, RunProgress reached) {
    out.append(
            "<p class=\"note\">Figures end with the last round that every live peer has reported: ")
        .append(Html.escape(reached.text()))
        .append(".</p>\n");
  }

  private static String resource(String name) {
    try (InputStream stream = HtmlReport.class.getResourceAsStream(name)) {
      byte[] bytes = Objects.requireNonNull(stream, name).readAllBytes();
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new IllegalStateException(name + " is missing on the class path", unreadable);
    }
  }
}
