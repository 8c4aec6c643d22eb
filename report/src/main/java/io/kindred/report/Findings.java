package io.kindred.report;

import io.kindred.report.plot.SortedBars.Panel;
import io.kindred.report.table.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.SequencedSet;

/** States the results of a comparison in sentences, without claiming more than the numbers show. */
record Findings(Comparison comparison) {

  /** One paragraph of plain text. */
  String paragraph() {
    List<MethodRuns> methods = comparison.methods();
    if (methods.isEmpty()) {
      return "No runs.";
    }
    List<String> sentences = new ArrayList<>();
    sentences.add(settingSentence(methods));
    List<MethodRuns> ranked =
        methods.stream()
            .filter(method -> method.accuracy().present())
            .sorted(Comparator.comparingDouble(m -> -m.accuracy().mean()))
            .toList();
    List<MethodRuns> byError =
        methods.stream()
            .filter(method -> Comparison.absoluteError(method).present())
            .sorted(Comparator.comparingDouble(m -> Comparison.absoluteError(m).mean()))
            .toList();
    if (ranked.isEmpty() && byError.isEmpty()) {
      sentences.add("No accuracy has been recorded yet.");
    } else if (ranked.isEmpty() && comparison.comparable()) {
      sentences.add(lowestError(byError));
    } else if (!comparison.comparable()) {
      sentences.add("The runs solve different tasks, so their accuracies are not ranked.");
    } else {
      addRanking(sentences, ranked);
    }
    long unfinished =
        methods.stream().flatMap(m -> m.runs().stream()).filter(run -> !run.finished()).count();
    if (unfinished > 0) {
      sentences.add(
          count(unfinished, "run is", "runs are")
              + " unfinished; numbers are those of the last round that every live peer has reported.");
    }
    return String.join(" ", sentences);
  }

  private static String settingSentence(List<MethodRuns> methods) {
    StringBuilder text = new StringBuilder(count(methods.size(), "method", "methods"));
    append(text, " on ", values(methods, "dataset"), "");
    append(text, ", split by ", values(methods, "partition"), "");
    SequencedSet<String> peers = new LinkedHashSet<>();
    methods.forEach(method -> peers.add(method.peerCount()));
    append(text, " over ", join(peers), " peers");
    append(text, ", with the model ", values(methods, "model"), "");
    int least = methods.stream().mapToInt(m -> m.runs().size()).min().orElse(0);
    int most = methods.stream().mapToInt(m -> m.runs().size()).max().orElse(0);
    String seeds = least == most ? count(least, "seed", "seeds") : least + " to " + most + " seeds";
    return text.append("; ").append(seeds).append(methods.size() > 1 ? " each." : ".").toString();
  }

  private static void append(StringBuilder text, String before, String value, String after) {
    if (!value.isEmpty()) {
      text.append(before).append(value).append(after);
    }
  }

  static String values(List<MethodRuns> methods, String fact) {
    SequencedSet<String> values = new LinkedHashSet<>();
    methods.forEach(method -> values.add(method.first().fact(fact)));
    return join(values);
  }

  private static String join(SequencedSet<String> values) {
    return String.join(", ", values.stream().filter(value -> !value.isEmpty()).toList());
  }

  /** A regression is ranked by its mean absolute error. */
  private static String lowestError(List<MethodRuns> byError) {
    MethodRuns best = byError.getFirst();
    String value = error(Comparison.absoluteError(best));
    return byError.size() == 1
        ? best.name() + " has a mean absolute error of " + value + "."
        : best.name()
            + " has the lowest mean absolute error, "
            + value
            + "; next is "
            + byError.get(1).name()
            + " with "
            + error(Comparison.absoluteError(byError.get(1)))
            + ".";
  }

  private static String error(Spread spread) {
    return spread.repeated()
        ? String.format(Locale.ROOT, "%.4g\u00a0±\u00a0%.2g", spread.mean(), spread.std())
        : String.format(Locale.ROOT, "%.4g", spread.mean());
  }

  private void addRanking(List<String> sentences, List<MethodRuns> ranked) {
    MethodRuns best = ranked.getFirst();
    String tenth =
        best.tenthPercentile().present()
            ? "; nine in ten of its peers reach at least " + percent(best.tenthPercentile().mean())
            : "";
    if (ranked.size() == 1) {
      sentences.add(
          best.name() + " reaches a mean accuracy of " + meanWithDeviation(best) + tenth + ".");
    } else {
      sentences.add(
          best.name()
              + " has the highest mean accuracy, "
              + meanWithDeviation(best)
              + difference(best, ranked.get(1))
              + tenth
              + ".");
    }
    addGain(sentences, best);
    addTraffic(sentences, ranked);
    if (ranked.size() > 1 && ranked.stream().anyMatch(m -> !m.accuracy().repeated())) {
      sentences.add(
          "With a single seed for some methods, small differences between methods mean little.");
    }
  }

  private static String difference(MethodRuns best, MethodRuns second) {
    Spread first = best.accuracy();
    Spread next = second.accuracy();
    double points = (first.mean() - next.mean()) * 100;
    String text = String.format(Locale.ROOT, ", %.1f points ahead of %s", points, second.name());
    if (!first.repeated() || !next.repeated()) {
      return text;
    }
    double noise = Math.hypot(first.std(), next.std()) * 100;
    return points <= noise ? text + " (within the spread over seeds)" : text;
  }

  private void addGain(List<String> sentences, MethodRuns best) {
    if (best.isLocal()) {
      return;
    }
    Panel panel = Gains.panel(best, comparison.methods());
    if (!panel.bars().isEmpty()) {
      sentences.add(
          String.format(
              Locale.ROOT,
              "Against training alone%s %d of its %d peers gain and %d lose; the mean change is"
                  + " %+.1f points.",
              best.runs().size() > 1 ? ", counting peers once per seed," : "",
              panel.gaining(),
              panel.bars().size(),
              panel.losing(),
              panel.mean() * 100));
    }
  }

  private static void addTraffic(List<String> sentences, List<MethodRuns> ranked) {
    List<MethodRuns> sending =
        ranked.stream().filter(method -> method.modelBytesPerPeer().mean() > 0).toList();
    if (sending.isEmpty()) {
      return;
    }
    List<String> parts = new ArrayList<>();
    sending.stream()
        .sorted(Comparator.comparingDouble(m -> m.modelBytesPerPeer().mean()))
        .limit(4)
        .forEach(
            m ->
                parts.add(
                    String.format(
                        Locale.ROOT,
                        "%s %.2f\u00a0MB",
                        m.name(),
                        m.modelBytesPerPeer().mean() / 1e6)));
    String which =
        sending.size() > 4
            ? "Lowest model traffic sent per peer: "
            : "Model traffic sent per peer: ";
    sentences.add(which + String.join(", ", parts) + ".");
  }

  private static String meanWithDeviation(MethodRuns method) {
    Spread accuracy = method.accuracy();
    return accuracy.repeated()
        ? String.format(
            Locale.ROOT,
            "%.1f\u00a0±\u00a0%.1f\u00a0%%",
            accuracy.mean() * 100,
            accuracy.std() * 100)
        : percent(accuracy.mean());
  }

  private static String percent(double fraction) {
    return String.format(Locale.ROOT, "%.1f\u00a0%%", fraction * 100);
  }

  private static String count(long number, String one, String many) {
    return number + " " + (number == 1 ? one : many);
  }
}
