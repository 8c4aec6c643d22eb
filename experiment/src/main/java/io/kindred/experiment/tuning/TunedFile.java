package io.kindred.experiment.tuning;

import io.kindred.experiment.tuning.TuningResults.MethodResult;
import io.kindred.storage.config.YamlWriter;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The experiment file that runs every method with its chosen settings on the test samples. */
public final class TunedFile {
  private TunedFile() {}

  /**
   * The text of the file, which begins with how it was made.
   *
   * @param command the command line of the tuning
   */
  public static String text(TuningPlan plan, TuningResults results, String command) {
    StringBuilder out = new StringBuilder();
    comment(out, "Made by: " + command);
    comment(
        out,
        "Every method had a budget of %d tries (%s search), the first with the settings of the file."
            .formatted(
                plan.request().budget(), plan.request().search().name().toLowerCase(Locale.ROOT)));
    comment(
        out,
        "A score is the mean accuracy of the peers on their validation samples in the last round, seed "
            + plan.seeds().stream().map(String::valueOf).collect(Collectors.joining(", "))
            + ".");
    for (MethodResult method : results.methods()) {
      comment(out, line(method));
    }
    comment(out, "This file evaluates on the test samples, which no try has seen.");
    return out.append(YamlWriter.of(plan.testExperiment(results.chosen()))).toString();
  }

  private static String line(MethodResult method) {
    String tries = method.tries().size() + " tries, " + method.failed() + " failed; ";
    Optional<String> best =
        method
            .best()
            .map(
                each ->
                    "first try %s, chosen try %d %s"
                        .formatted(
                            percent(method.first().score()),
                            each.tried().number(),
                            percent(each.score())));
    return "  " + method.method() + ": " + tries + best.orElse("left out of this file");
  }

  private static String percent(double score) {
    return Double.isNaN(score) ? "failed" : String.format(Locale.ROOT, "%.2f%%", 100 * score);
  }

  private static void comment(StringBuilder out, String line) {
    out.append("# ").append(line.replaceAll("\\s*\\R\\s*", " ")).append('\n');
  }
}
