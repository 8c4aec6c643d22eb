package io.kindred.cli;

import io.kindred.experiment.tuning.Try;
import io.kindred.experiment.tuning.TryScore;
import io.kindred.experiment.tuning.TuningResults;
import io.kindred.experiment.tuning.TuningResults.MethodResult;
import io.kindred.experiment.tuning.TuningResults.ScoredTry;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What {@code tune --json} prints.
 *
 * @param tuned the experiment file with the chosen settings; empty if every try of every method
 *     failed
 */
record TuningDocument(List<MethodEntry> methods, List<TryEntry> tries, Optional<String> tuned) {
  /** A method, the score of its first try and its best try. */
  record MethodEntry(
      String method,
      int tries,
      int failed,
      Optional<Double> defaultScore,
      Optional<Double> bestScore,
      Optional<Integer> bestTry,
      Optional<SortedMap<String, String>> settings) {}

  /** One try under one seed. */
  record TryEntry(
      String method,
      int number,
      SortedMap<String, String> settings,
      long seed,
      Optional<Double> score,
      Optional<Double> standardError,
      String run,
      Optional<String> failure) {}

  static TuningDocument of(TuningResults results, boolean anyChosen, Path file) {
    return new TuningDocument(
        results.methods().stream().map(TuningDocument::entry).toList(),
        results.scores().stream().map(TuningDocument::entry).toList(),
        anyChosen ? Optional.of(file.toString()) : Optional.empty());
  }

  private static MethodEntry entry(MethodResult method) {
    Optional<ScoredTry> best = method.best();
    return new MethodEntry(
        method.method(),
        method.tries().size(),
        method.failed(),
        finite(method.first().score()),
        best.map(ScoredTry::score),
        best.map(each -> each.tried().number()),
        best.map(each -> settings(each.tried())));
  }

  private static TryEntry entry(TryScore each) {
    return new TryEntry(
        each.tried().method(),
        each.tried().number(),
        settings(each.tried()),
        each.seed(),
        finite(each.score()),
        finite(each.standardError()),
        each.run(),
        Optional.of(each.failure()).filter(reason -> !reason.isEmpty()));
  }

  private static SortedMap<String, String> settings(Try tried) {
    SortedMap<String, String> settings = new TreeMap<>();
    tried.settings().forEach(each -> settings.put(each.path(), each.value()));
    return settings;
  }

  private static Optional<Double> finite(double figure) {
    return Double.isFinite(figure) ? Optional.of(figure) : Optional.empty();
  }
}
