package io.kindred.report;

import io.kindred.report.plot.SeriesStyle;
import io.kindred.report.run.RunRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Groups runs that differ only by seed and names each group by the settings that distinguish it.
 */
final class RunGrouping {
  /** Settings that do not change what is measured. */
  private static final Set<String> IGNORED = new TreeSet<>(List.of("seed", "workers"));

  private static final List<String> FACTS =
      List.of("method", "dataset", "model", "partition", "peers", "rounds");

  /** Top-level settings come first: they say more, and figures truncate long names at the end. */
  private static final Comparator<String> LARGER_FIRST =
      Comparator.comparingLong((String key) -> key.chars().filter(each -> each == '.').count())
          .thenComparing(Comparator.naturalOrder());

  private RunGrouping() {}

  static List<MethodRuns> of(List<RunRecord> runs) {
    SequencedMap<SortedMap<String, String>, List<RunRecord>> groups = new LinkedHashMap<>();
    for (RunRecord run : runs) {
      List<RunRecord> group = groups.computeIfAbsent(traits(run), _ -> new ArrayList<>());
      if (group.stream().noneMatch(other -> isDuplicate(run, other))) {
        group.add(run);
      }
    }
    List<MethodRuns> methods = new ArrayList<>();
    int position = 0;
    for (Map.Entry<SortedMap<String, String>, List<RunRecord>> group : groups.entrySet()) {
      RunRecord first = group.getValue().getFirst();
      boolean local = first.method().equals(MethodRuns.LOCAL);
      String name = name(first, group.getKey(), groups);
      SeriesStyle style = local ? SeriesStyle.REFERENCE : SeriesStyle.of(position++);
      methods.add(new MethodRuns(name, style, group.getValue()));
    }
    return methods;
  }

  /** Two runs with the same seed and trace are the same run; the second adds nothing. */
  private static boolean isDuplicate(RunRecord one, RunRecord other) {
    String trace = one.summary().text("traceHash");
    return !trace.isEmpty()
        && trace.equals(other.summary().text("traceHash"))
        && one.seed().equals(other.seed());
  }

  private static SortedMap<String, String> traits(RunRecord run) {
    SortedMap<String, String> traits = new TreeMap<>();
    run.settings()
        .scalars()
        .forEach(
            (key, value) -> {
              if (!IGNORED.contains(key) && !key.startsWith("seeds")) {
                traits.put(key, value);
              }
            });
    if (traits.isEmpty() && !run.configuration().isBlank()) {
      traits.put("configuration", run.configuration());
    }
    // Falls back to the summary only if there are no settings: unfinished runs have no summary.
    for (String fact : traits.isEmpty() ? FACTS : List.<String>of()) {
      String value = run.summary().text(fact);
      if (!value.isEmpty()) {
        traits.put(fact, value);
      }
    }
    traits.put("method", run.method());
    return traits;
  }

  private static String name(
      RunRecord run,
      SortedMap<String, String> traits,
      SequencedMap<SortedMap<String, String>, List<RunRecord>> groups) {
    List<SortedMap<String, String>> rivals =
        groups.sequencedKeySet().stream()
            .filter(other -> run.method().equals(other.get("method")))
            .toList();
    if (rivals.size() < 2) {
      return run.method();
    }
    Set<String> keys = new TreeSet<>(LARGER_FIRST);
    rivals.forEach(rival -> keys.addAll(rival.keySet()));
    Set<String> apart = new LinkedHashSet<>();
    for (String key : keys) {
      long values =
          rivals.stream()
              .filter(rival -> sameChoice(key, traits, rival))
              .map(rival -> rival.getOrDefault(key, "-"))
              .distinct()
              .count();
      if (values > 1 && !key.equals("configuration")) {
        apart.add(shortened(key) + "=" + traits.getOrDefault(key, "-"));
      }
    }
    return run.method() + " (" + String.join(", ", apart) + ")";
  }

  /**
   * Settings below a choice, such as a model's, distinguish only runs that made the same choice. A
   * choice may stand below another one, such as the discovery of a method.
   */
  private static boolean sameChoice(
      String key, SortedMap<String, String> traits, SortedMap<String, String> rival) {
    for (int dot = key.indexOf('.'); dot >= 0; dot = key.indexOf('.', dot + 1)) {
      String name = key.substring(0, dot + 1) + "name";
      if (!key.equals(name)
          && !traits.getOrDefault(name, "").equals(rival.getOrDefault(name, ""))) {
        return false;
      }
    }
    return true;
  }

  /** A short name of a setting: the choice for its {@code name}, else the end of its path. */
  private static String shortened(String key) {
    String path = key.endsWith(".name") ? key.substring(0, key.length() - ".name".length()) : key;
    return path.substring(path.lastIndexOf('.') + 1);
  }
}
