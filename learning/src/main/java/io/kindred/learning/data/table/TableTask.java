package io.kindred.learning.data.table;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.DamagedDataException;
import io.kindred.learning.data.DataReading;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.ErrorMetric;
import io.kindred.learning.data.FeatureScale;
import io.kindred.learning.data.FloatFeatures;
import io.kindred.learning.data.InputColumn;
import io.kindred.learning.data.RawTable;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.Scaling;
import io.kindred.learning.data.StratifiedSplit;
import io.kindred.learning.data.TableColumn;
import io.kindred.learning.data.TaskDescription;
import io.kindred.learning.data.UnusedFile;
import io.kindred.learning.data.Users;
import io.kindred.learning.data.format.TableFormat;
import io.kindred.learning.data.format.TableReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Turns the rows of a table into a task. */
final class TableTask {
  /** So many groups of the first target stand in for classes when a regression is partitioned. */
  private static final int TARGET_GROUPS = 10;

  /** One row, and whether it belongs to the common test set. */
  record Line(String place, List<String> values, boolean test) {}

  private final TableSource source;
  private final TableFormat format;
  private final String file;
  private final List<String> columns;
  private final String separator;
  private final Optional<TaskDescription> given;
  private final List<UnusedFile> unused = new ArrayList<>();
  private final List<TableColumn> facts = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();
  private List<Line> lines;

  TableTask(
      TableSource source,
      TableReader.Read first,
      Optional<RawTable> second,
      Optional<TaskDescription> given) {
    this.source = source;
    this.format = source.format();
    this.file = first.table().file();
    this.columns = first.table().columns();
    this.separator = first.separator();
    this.given = given;
    this.lines = lines(first.table(), second);
  }

  private List<Line> lines(RawTable first, Optional<RawTable> second) {
    int partAt = place(source.part(), "part");
    List<Line> all = new ArrayList<>();
    for (RawTable.Row row : first.rows()) {
      all.add(new Line(row.place(), row.values(), partAt >= 0 && isTest(row, partAt)));
    }
    second.ifPresent(
        other ->
            other
                .rows()
                .forEach(
                    row ->
                        all.add(new Line(source.test() + " " + row.place(), row.values(), true))));
    return all;
  }

  private boolean isTest(RawTable.Row row, int partAt) {
    String word = row.values().get(partAt);
    if (!areParts(List.of(word))) {
      throw new DamagedDataException(
          file,
          row.place(),
          "the column '"
              + source.part()
              + "' says '"
              + word
              + "', not train or test; correct it, or choose another dataset.part");
    }
    return word.toLowerCase(Locale.ROOT).equals("test");
  }

  /** Whether all cells say which part a row belongs to. */
  static boolean areParts(Collection<String> cells) {
    return cells.stream()
        .allMatch(
            each -> List.of("train", "training", "test").contains(each.toLowerCase(Locale.ROOT)));
  }

  /** Where a column is; -1 for no column. */
  private int place(String name, String setting) {
    if (name.isEmpty()) {
      return -1;
    }
    int at = columns.indexOf(name);
    if (at < 0) {
      throw new SettingException(
          "dataset." + setting,
          "there is no column '" + name + "' in " + file,
          "its columns are " + String.join(", ", columns));
    }
    return at;
  }

  Dataset dataset(RandomStreams streams) {
    List<Integer> targetsAt =
        source.targets().stream().map(each -> place(each, "targets")).toList();
    int labelAt = source.isRegression() ? -1 : place(source.label(), "label");
    int userAt = place(source.user(), "user");
    int partAt = place(source.part(), "part");
    source.categories().forEach(each -> place(each, "categories"));
    List<Integer> others = new ArrayList<>(targetsAt);
    others.addAll(List.of(labelAt, userAt, partAt));
    source.ignore().forEach(each -> others.add(place(each, "ignore")));
    requireOneUse(others);
    List<Integer> inputsAt =
        IntStream.range(0, columns.size()).boxed().filter(at -> !others.contains(at)).toList();
    ColumnFinder finder = new ColumnFinder(source, file, columns, lines);
    List<ColumnFinder.Found> found = finder.inputs(inputsAt, given.map(TaskDescription::columns));
    List<ColumnFinder.Found> used = found.stream().filter(ColumnFinder.Found::used).toList();
    if (used.isEmpty()) {
      throw new DamagedDataException(file, "its columns", "no column is left as an input");
    }
    dropGaps(used, targetsAt, labelAt, userAt);
    targetsAt.forEach(each -> facts.add(finder.number(each, TableColumn.Use.TARGET)));
    List<String> labels = labelAt < 0 ? groups(targetsAt.getFirst()) : words(labelAt);
    List<String> classes =
        labelAt < 0
            ? targetGroups(targetsAt.getFirst()).names()
            : TaskDescription.classesOf(
                given, List.copyOf(new TreeSet<>(labels)), file, columnName(labelAt));
    requireClasses(classes, labelAt);
    requireTrained(labels, labelAt);
    int[] numbers = labels.stream().mapToInt(classes::indexOf).toArray();
    split(numbers, classes.size(), streams);
    addFacts(finder, found, labelAt, userAt, partAt);
    return dataset(used, targetsAt, numbers, classes, userAt);
  }

  /** A label that is also the user, for example, is a mistake in most cases. */
  private void requireOneUse(List<Integer> places) {
    Set<Integer> used = new TreeSet<>();
    for (int at : places) {
      if (at >= 0 && !used.add(at)) {
        throw new SettingException(
            "dataset",
            columnName(at) + " has two uses",
            "name each column once in label, targets, user, part and ignore");
      }
    }
  }

  private String columnName(int at) {
    return "the column '" + columns.get(at) + "'";
  }

  private void requireClasses(List<String> classes, int labelAt) {
    if (classes.size() < 2) {
      throw new DamagedDataException(
          file,
          "its end",
          labelAt < 0
              ? "the target '" + source.targets().getFirst() + "' is the same in all rows"
              : "all rows have the label '" + classes.getFirst() + "'");
    }
  }

  /** A class that only test rows have cannot be learned. */
  private void requireTrained(List<String> labels, int labelAt) {
    boolean given = !source.test().isEmpty() || !source.part().isEmpty();
    if (!given || labelAt < 0) {
      return;
    }
    List<String> trained =
        IntStream.range(0, labels.size())
            .filter(i -> !lines.get(i).test())
            .mapToObj(labels::get)
            .distinct()
            .toList();
    for (int i = 0; i < labels.size(); i++) {
      if (!trained.contains(labels.get(i))) {
        throw new DamagedDataException(
            file, lines.get(i).place(), "no training row has the label '" + labels.get(i) + "'");
      }
    }
  }

  private List<String> words(int at) {
    return lines.stream().map(line -> line.values().get(at)).toList();
  }

  /** Leaves out rows with gaps, or refuses them. Gaps of inputs may be filled in later. */
  private void dropGaps(
      List<ColumnFinder.Found> used, List<Integer> targetsAt, int labelAt, int userAt) {
    List<Integer> needed = new ArrayList<>(targetsAt);
    IntStream.of(labelAt, userAt).filter(at -> at >= 0).forEach(needed::add);
    if (source.missing() != TableSource.Missing.IMPUTE) {
      used.stream().map(ColumnFinder.Found::at).forEach(needed::add);
    }
    List<Line> kept = new ArrayList<>();
    for (Line line : lines) {
      Optional<Integer> gap =
          needed.stream().filter(at -> format.isGap(line.values().get(at))).findFirst();
      if (gap.isEmpty()) {
        kept.add(line);
      } else if (source.missing() == TableSource.Missing.REFUSE) {
        throw refusedGap(line, gap.get(), needed);
      } else {
        unused.add(new UnusedFile(line.place(), columnName(gap.get()) + " has no value"));
      }
    }
    if (kept.stream().allMatch(Line::test)) {
      throw new DamagedDataException(
          file, "its end", "every row lacks a value, so no row is left; choose missing: impute");
    }
    lines = kept;
  }

  private DamagedDataException refusedGap(Line line, int at, List<Integer> needed) {
    long rows =
        lines.stream()
            .filter(each -> needed.stream().anyMatch(i -> format.isGap(each.values().get(i))))
            .count();
    return new DamagedDataException(
        file,
        line.place(),
        columnName(at)
            + " has no value ('"
            + line.values().get(at)
            + "'); "
            + rows
            + " of "
            + lines.size()
            + " rows have such gaps; choose dataset.missing: drop or impute, or fill them in");
  }

  /** Draws the test rows where neither a file nor a column names them. */
  private void split(int[] labels, int classes, RandomStreams streams) {
    if (source.test().isEmpty() && source.part().isEmpty()) {
      boolean[] drawn = StratifiedSplit.draw(labels, classes, source.testShare(), streams);
      List<Line> marked = new ArrayList<>();
      for (int i = 0; i < drawn.length; i++) {
        marked.add(new Line(lines.get(i).place(), lines.get(i).values(), drawn[i]));
      }
      lines = marked;
    }
    long tests = lines.stream().filter(Line::test).count();
    if (tests == 0 || tests == lines.size()) {
      throw new DamagedDataException(
          file, "its rows", tests + " of " + lines.size() + " rows are for the test");
    }
  }

  /** The groups of a target's values, of about equal size. */
  private TargetGroups targetGroups(int at) {
    return TargetGroups.of(
        lines.stream().mapToDouble(line -> number(line, at)).toArray(), TARGET_GROUPS);
  }

  private List<String> groups(int at) {
    TargetGroups groups = targetGroups(at);
    return lines.stream().map(line -> groups.name(number(line, at))).toList();
  }

  private double number(Line line, int at) {
    return format.number(line.values().get(at));
  }

  private void addFacts(
      ColumnFinder finder, List<ColumnFinder.Found> found, int labelAt, int userAt, int partAt) {
    found.forEach(each -> facts.add(each.column()));
    source
        .ignore()
        .forEach(each -> facts.add(finder.ignored(columns.indexOf(each), "in dataset.ignore")));
    addFact(finder, labelAt, TableColumn.Use.LABEL);
    addFact(finder, userAt, TableColumn.Use.USER);
    addFact(finder, partAt, TableColumn.Use.PART);
    facts.sort((one, other) -> columns.indexOf(one.name()) - columns.indexOf(other.name()));
    remarks.add(
        "separator "
            + separator
            + (source.names().isEmpty() && source.header() ? ", column names from line 1" : ""));
    remarks.add(
        source.test().isEmpty()
            ? source.part().isEmpty()
                ? StratifiedSplit.described(
                    source.testShare(), source.isRegression() ? "group of the target" : "class")
                : "the test is the rows that the column '" + source.part() + "' says"
            : "the test is the file " + source.test());
    if (source.isRegression()) {
      remarks.add(
          "a regression has no classes; partitions by class use groups of "
              + source.targets().getFirst());
    }
  }

  private void addFact(ColumnFinder finder, int at, TableColumn.Use use) {
    if (at >= 0) {
      facts.add(finder.words(at, use));
    }
  }

  private Dataset dataset(
      List<ColumnFinder.Found> used,
      List<Integer> targetsAt,
      int[] labels,
      List<String> classes,
      int userAt) {
    InputEncoder encoder = InputEncoder.of(source, used, lines, given);
    List<Line> train = lines.stream().filter(line -> !line.test()).toList();
    List<Line> test = lines.stream().filter(Line::test).toList();
    List<FeatureScale> targetScales = targetScales(targetsAt, train);
    List<String> users = userAt < 0 ? List.of() : List.copyOf(new TreeSet<>(words(userAt)));
    List<InputColumn> inputs = encoder.columns();
    DataReading reading =
        new DataReading(
            new TaskDescription(
                classes,
                encoder.scales(),
                inputs,
                List.of(),
                source.targets(),
                source.isRegression() ? targetScales : List.of()),
            "rows",
            lines.size(),
            unused,
            facts,
            remarks);
    Dataset dataset =
        new Dataset(
            "table",
            List.of(encoder.width()),
            classes.size(),
            samples(encoder, train, part(labels, false), targetsAt, targetScales, users, userAt),
            samples(encoder, test, part(labels, true), targetsAt, targetScales, users, userAt),
            // Mean absolute and squared errors are measured for any regression.
            List.<ErrorMetric>of());
    remarks.addAll(encoder.remarks());
    return dataset.read(
        new DataReading(reading.task(), reading.items(), reading.used(), unused, facts, remarks));
  }

  private int[] part(int[] labels, boolean test) {
    return IntStream.range(0, labels.length)
        .filter(i -> lines.get(i).test() == test)
        .map(i -> labels[i])
        .toArray();
  }

  private List<FeatureScale> targetScales(List<Integer> targetsAt, List<Line> train) {
    if (given.isPresent() && source.isRegression()) {
      if (!given.get().targets().equals(source.targets())) {
        throw new SettingException(
            "dataset.targets",
            source.targets() + " are not the targets of the task, " + given.get().targets(),
            "name those");
      }
      return given.get().targetScales();
    }
    List<FeatureScale> scales = new ArrayList<>();
    for (int at : targetsAt) {
      float[] values = new float[train.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = (float) number(train.get(i), at);
      }
      scales.add(
          source.scale() ? Scaling.fit(values, 1, 1).scales().getFirst() : FeatureScale.NONE);
    }
    return scales;
  }

  private Samples samples(
      InputEncoder encoder,
      List<Line> part,
      int[] labels,
      List<Integer> targetsAt,
      List<FeatureScale> targetScales,
      List<String> users,
      int userAt) {
    Samples samples =
        new Samples(
            new FloatFeatures(encoder.values(part), encoder.width()),
            Ints.wrap(labels),
            userAt < 0
                ? Optional.empty()
                : Optional.of(
                    Users.of(
                        part.stream().map(line -> line.values().get(userAt)).toList(), users)));
    if (targetsAt.isEmpty()) {
      return samples;
    }
    float[] targets = new float[part.size() * targetsAt.size()];
    for (int i = 0; i < part.size(); i++) {
      for (int t = 0; t < targetsAt.size(); t++) {
        targets[i * targetsAt.size() + t] = (float) number(part.get(i), targetsAt.get(t));
      }
    }
    Scaling.of(targetScales, 1).apply(targets);
    return samples.withTargets(new FloatFeatures(targets, targetsAt.size()));
  }
}
