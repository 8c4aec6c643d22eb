package io.kindred.learning.data.table;

import io.kindred.core.config.SettingException;
import io.kindred.learning.data.FeatureScale;
import io.kindred.learning.data.InputColumn;
import io.kindred.learning.data.Scaling;
import io.kindred.learning.data.TaskDescription;
import io.kindred.learning.data.format.TableFormat;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Turns rows into inputs: a number becomes one value, a word one value for each category of its
 * column. Categories, fillings and scales come from the training rows alone.
 */
final class InputEncoder {
  private static final int MOST_NAMED = 4;

  private final TableFormat format;
  private final List<InputColumn> columns;
  private final int[] places;
  private final List<FeatureScale> scales;
  private final SortedMap<String, Integer> filled = new TreeMap<>();
  private final SortedMap<String, TreeSet<String>> unknown = new TreeMap<>();

  private InputEncoder(
      TableFormat format, List<InputColumn> columns, int[] places, List<FeatureScale> scales) {
    this.format = format;
    this.columns = columns;
    this.places = places;
    this.scales = scales;
  }

  static InputEncoder of(
      TableSource source,
      List<ColumnFinder.Found> used,
      List<TableTask.Line> lines,
      Optional<TaskDescription> given) {
    List<TableTask.Line> train = lines.stream().filter(line -> !line.test()).toList();
    List<InputColumn> columns = new ArrayList<>();
    List<Integer> places = new ArrayList<>();
    if (given.isPresent()) {
      for (InputColumn column : given.get().columns()) {
        columns.add(column);
        places.add(
            used.stream()
                .filter(each -> each.column().name().equals(column.name()))
                .findFirst()
                .orElseThrow()
                .at());
      }
    } else {
      for (ColumnFinder.Found each : used) {
        columns.add(column(source, each, train));
        places.add(each.at());
      }
    }
    InputEncoder unscaled =
        new InputEncoder(
            source.format(),
            List.copyOf(columns),
            places.stream().mapToInt(Integer::intValue).toArray(),
            List.of());
    List<FeatureScale> scales =
        given
            .map(TaskDescription::scales)
            .orElseGet(() -> unscaled.fittedScales(train, source.scale()));
    return new InputEncoder(unscaled.format, unscaled.columns, unscaled.places, scales);
  }

  private static InputColumn column(
      TableSource source, ColumnFinder.Found found, List<TableTask.Line> train) {
    List<String> words =
        train.stream()
            .map(line -> line.values().get(found.at()))
            .filter(cell -> !source.format().isGap(cell))
            .toList();
    boolean impute = source.missing() == TableSource.Missing.IMPUTE;
    if (found.isNumber()) {
      double mean = words.stream().mapToDouble(source.format()::number).average().orElse(0);
      return new InputColumn(found.column().name(), List.of(), impute ? Double.toString(mean) : "");
    }
    SortedMap<String, Integer> counts = new TreeMap<>();
    words.forEach(word -> counts.merge(word, 1, Integer::sum));
    // Of equally frequent words the first of the alphabet.
    String frequent =
        counts.entrySet().stream()
            .max(
                Map.Entry.<String, Integer>comparingByValue()
                    .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
            .map(Map.Entry::getKey)
            .orElse("");
    return new InputColumn(
        found.column().name(), List.copyOf(counts.keySet()), impute ? frequent : "");
  }

  /** One scale for each input; those of categories stay 0 and 1. */
  private List<FeatureScale> fittedScales(List<TableTask.Line> train, boolean scaled) {
    List<FeatureScale> fitted = Scaling.fit(values(train), width(), 1).scales();
    List<FeatureScale> chosen = new ArrayList<>();
    for (InputColumn column : columns) {
      for (int i = 0; i < column.width(); i++) {
        boolean number = column.categories().isEmpty();
        chosen.add(scaled && number ? fitted.get(chosen.size()) : FeatureScale.NONE);
      }
    }
    return chosen;
  }

  List<InputColumn> columns() {
    return columns;
  }

  List<FeatureScale> scales() {
    return scales;
  }

  int width() {
    return columns.stream().mapToInt(InputColumn::width).sum();
  }

  /** The scaled inputs of rows, one row after the other. */
  float[] values(List<TableTask.Line> lines) {
    int width = width();
    float[] values = new float[Math.multiplyExact(lines.size(), width)];
    int at = 0;
    for (TableTask.Line line : lines) {
      for (int i = 0; i < places.length; i++) {
        requireFilling(line, columns.get(i), places[i]);
        write(line.values().get(places[i]), columns.get(i), values, at);
        at += columns.get(i).width();
      }
    }
    if (!scales.isEmpty()) {
      Scaling.of(scales, 1).apply(values);
    }
    return values;
  }

  /** A task whose rows had no gaps may not say what fills them. */
  private void requireFilling(TableTask.Line line, InputColumn column, int place) {
    if (column.filling().isEmpty() && format.isGap(line.values().get(place))) {
      throw new SettingException(
          "dataset.missing",
          line.place()
              + " has no value in the column '"
              + column.name()
              + "', and the task of dataset.like does not say what fills it",
          "choose drop, or read the first data with impute");
    }
  }

  private void write(String cell, InputColumn column, float[] values, int at) {
    boolean gap = format.isGap(cell);
    if (gap) {
      filled.merge(column.name(), 1, Integer::sum);
    }
    if (column.categories().isEmpty()) {
      values[at] = (float) (gap ? Double.parseDouble(column.filling()) : format.number(cell));
      return;
    }
    String word = gap ? column.filling() : cell;
    int category = column.categories().indexOf(word);
    if (category >= 0) {
      values[at + category] = 1;
    } else {
      unknown.computeIfAbsent(column.name(), _ -> new TreeSet<>()).add(word);
    }
  }

  private static String filling(InputColumn column) {
    return column.categories().isEmpty()
        ? String.format(Locale.ROOT, "%.6g", Double.parseDouble(column.filling()))
        : column.filling();
  }

  /** What was filled in, and words that no training row has. */
  List<String> remarks() {
    List<String> remarks = new ArrayList<>();
    List<String> fillings = new ArrayList<>();
    for (InputColumn column : columns) {
      Integer count = filled.get(column.name());
      if (count != null) {
        fillings.add(count + " in the column '" + column.name() + "' became " + filling(column));
      }
    }
    if (!fillings.isEmpty()) {
      int count = filled.values().stream().mapToInt(Integer::intValue).sum();
      int more = fillings.size() - MOST_NAMED;
      remarks.add(
          count
              + (count == 1 ? " gap was" : " gaps were")
              + " filled: "
              + String.join(", ", fillings.stream().limit(MOST_NAMED).toList())
              + (more > 0 ? ", and those of " + more + " more columns; data.json names all" : ""));
    }
    unknown.forEach(
        (name, words) ->
            remarks.add(
                "words of the column '"
                    + name
                    + "' that no training row has, and that belong to no input: "
                    + String.join(", ", words)));
    return remarks;
  }
}
