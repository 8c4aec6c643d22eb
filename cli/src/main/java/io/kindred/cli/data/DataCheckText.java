package io.kindred.cli.data;

import io.kindred.learning.data.TableColumn;
import io.kindred.learning.data.UnusedFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;
import java.util.stream.Collectors;

/** A check of data as one screen of text. */
public final class DataCheckText {
  private static final int MOST_CLASSES = 12;
  private static final int MOST_COLUMNS = 20;
  private static final int MOST_UNUSED = 5;
  private static final int WIDEST_NAME = 24;

  /** Messages about damage name their file first. */
  private static final String DAMAGED = " is damaged at ";

  private final DataCheck check;
  private final List<String> lines = new ArrayList<>();

  private DataCheckText(DataCheck check) {
    this.check = check;
  }

  /** The check for a reader. */
  public static String of(DataCheck check) {
    DataCheckText text = new DataCheckText(check);
    text.write();
    return String.join("\n", text.lines) + "\n";
  }

  private void write() {
    DatasetSummary reading = check.reading();
    lines.add(
        String.format(
            Locale.ROOT,
            "%s: %s, %,d training and %,d test samples of the shape %s, %s",
            check.path(),
            check.data(),
            reading.train(),
            reading.test(),
            reading.shape().stream().map(String::valueOf).collect(Collectors.joining(" x ")),
            check.isRegression()
                ? "no classes; below are groups of the target"
                : reading.classes() + " classes"));
    section("chosen", check.reasons());
    classes();
    columns();
    reading
        .users()
        .ifPresent(
            users ->
                lines.add(
                    String.format(
                        Locale.ROOT,
                        "users: %,d with %,d to %,d samples (median %,d)",
                        users.count(),
                        users.fewest(),
                        users.most(),
                        users.median())));
    section("how it is read", check.remarks());
    unused();
    repeated();
    section("may mislead", check.leaks());
    lines.add("an experiment to start from:");
    check.experiment().lines().forEach(line -> lines.add("    " + line));
  }

  private void section(String title, List<String> items) {
    if (!items.isEmpty()) {
      lines.add(title + ":");
      items.forEach(each -> lines.add("  - " + each));
    }
  }

  private void classes() {
    int width = Math.clamp(longest(check.classes()), 5, WIDEST_NAME);
    String row = "  %-" + width + "s %8s %8s  %s";
    lines.add(
        String.format(
            Locale.ROOT,
            row,
            check.isRegression() ? "group" : "class",
            "train",
            "test",
            "such as"));
    for (DataCheck.ClassFact each : check.classes().stream().limit(MOST_CLASSES).toList()) {
      lines.add(
          String.format(
              Locale.ROOT,
              row,
              shortened(each.name()),
              each.train(),
              each.test(),
              String.join(", ", each.examples())));
    }
    int more = check.classes().size() - MOST_CLASSES;
    if (more > 0) {
      int least = check.classes().stream().mapToInt(each -> each.train()).min().orElse(0);
      int most = check.classes().stream().mapToInt(each -> each.train()).max().orElse(0);
      lines.add(
          String.format(
              Locale.ROOT,
              "  and %d more; they have %d to %d training samples",
              more,
              least,
              most));
    }
  }

  private static int longest(List<DataCheck.ClassFact> classes) {
    return classes.stream()
        .limit(MOST_CLASSES)
        .mapToInt(each -> each.name().length())
        .max()
        .orElse(0);
  }

  private static String shortened(String name) {
    return name.length() <= WIDEST_NAME ? name : name.substring(0, WIDEST_NAME - 1) + "…";
  }

  private void columns() {
    if (check.columns().isEmpty()) {
      return;
    }
    String row = "  %-" + WIDEST_NAME + "s %-8s %-7s %6s %9s  %s";
    lines.add(
        String.format(Locale.ROOT, row, "column", "holds", "is", "gaps", "different", "such as"));
    for (TableColumn each : check.columns().stream().limit(MOST_COLUMNS).toList()) {
      lines.add(
          String.format(
              Locale.ROOT,
              row,
              shortened(each.name()),
              each.kind().name().toLowerCase(Locale.ROOT),
              each.use().name().toLowerCase(Locale.ROOT),
              each.missing() == 0 ? "" : each.missing(),
              each.distinct(),
              each.reason().isEmpty() ? String.join(", ", each.examples()) : each.reason()));
    }
    int more = check.columns().size() - MOST_COLUMNS;
    if (more > 0) {
      lines.add(String.format(Locale.ROOT, "  and %d more columns; --json lists all", more));
    }
  }

  /** By reason, so that one kind of file does not hide another. */
  private void unused() {
    if (check.unused().isEmpty()) {
      return;
    }
    lines.add(
        String.format(
            Locale.ROOT, "left out: %,d, used: %,d", check.unused().size(), check.used()));
    SequencedMap<String, List<String>> byReason = new LinkedHashMap<>();
    for (UnusedFile each : check.unused()) {
      int damage = each.reason().indexOf(DAMAGED);
      if (damage < 0) {
        byReason.computeIfAbsent(each.reason(), _ -> new ArrayList<>()).add(each.file());
      } else {
        byReason
            .computeIfAbsent("damaged", _ -> new ArrayList<>())
            .add(each.file() + " (" + each.reason().substring(damage + DAMAGED.length()) + ")");
      }
    }
    byReason.forEach(
        (reason, files) ->
            lines.add(
                String.format(
                    Locale.ROOT,
                    "  - %d %s: %s%s",
                    files.size(),
                    reason,
                    files.stream().limit(MOST_UNUSED).collect(Collectors.joining(", ")),
                    files.size() > MOST_UNUSED ? ", ...; --json lists all" : "")));
  }

  private void repeated() {
    Repetitions.Found found = check.repeated();
    if (found.samples() > 0) {
      lines.add(
          String.format(
              Locale.ROOT,
              "repeated: %,d with the inputs of an earlier sample, %,d of them in another class",
              found.samples(),
              found.contradictory()));
      found.examples().forEach(each -> lines.add("  - " + each));
    }
  }
}
