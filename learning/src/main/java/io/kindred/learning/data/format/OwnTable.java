package io.kindred.learning.data.format;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.learning.data.DamagedDataException;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.RawTable;
import io.kindred.learning.data.own.OwnFinding;
import io.kindred.learning.data.own.OwnSamples;
import io.kindred.learning.data.own.OwnSource;
import io.kindred.learning.data.own.SampleCollector;
import io.kindred.learning.data.own.TaskInputs;
import io.kindred.learning.data.own.TaskSuggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A table of one owner: separated values whose first line names the columns, in any order. Columns
 * are found by the names of the task.
 */
@Named(value = "csv", summary = "a table: separated values with a label column")
public record OwnTable(
    @Setting(doc = "the file") String file,
    @Setting(doc = "name of the column that holds the class", fallback = "label") String label,
    @Setting(doc = "names of columns that are left out", fallback = "[]") List<String> ignore,
    @Setting(
            doc =
                "character between two values, or `tab`, `blank`, or `auto` for the one that fits"
                    + " all lines",
            fallback = "auto")
        String separator)
    implements OwnSource {
  /** Words of one column that a new task takes; a column with more is a name or a text. */
  private static final int MOST_WORDS = 50;

  public OwnTable {
    ignore = List.copyOf(ignore);
    // The record checks the separator.
    TableFormatBuilder.from(TableFormat.USUAL).separator(separator).build();
  }

  @Override
  public String location() {
    return file;
  }

  @Override
  public OwnSamples read(
      TaskInputs inputs, List<String> classes, boolean labelled, DataFiles files) {
    SampleCollector collector = new SampleCollector(inputs, classes);
    if (inputs.columns().isEmpty()) {
      collector.reportOtherKind(file + " is a table", inputs);
      return collector.samples();
    }
    RawTable table = table(files);
    List<String> header = table.columns();
    int[] places = places(inputs, header, collector);
    int labelAt = header.indexOf(label);
    if (labelAt < 0 && labelled) {
      collector.report(
          OwnFinding.Level.FIX,
          file + " has no column '" + label + "' for the class; its columns are " + header,
          "name the column in data.label");
    }
    if (!collector.hasObstacle()) {
      for (RawTable.Row row : table.rows()) {
        add(row, inputs, places, labelled ? labelAt : -1, collector);
      }
    }
    return collector.samples();
  }

  private RawTable table(DataFiles files) {
    return TableReader.read(
            files,
            "",
            file,
            TableFormatBuilder.from(TableFormat.USUAL).separator(separator).build())
        .table();
  }

  /** Where the columns of the task are; columns that are missing or left out become findings. */
  private int[] places(TaskInputs inputs, List<String> header, SampleCollector collector) {
    int[] places =
        inputs.columns().stream().mapToInt(each -> header.indexOf(each.name())).toArray();
    List<String> known = inputs.columns().stream().map(TaskInputs.Column::name).distinct().toList();
    for (String name : known) {
      if (!header.contains(name)) {
        collector.report(
            OwnFinding.Level.FIX,
            file + " has no column '" + name + "'",
            "add it, or rename one of " + header);
      }
    }
    for (String name : header) {
      if (!known.contains(name) && !name.equals(label) && !ignore.contains(name)) {
        collector.report(
            OwnFinding.Level.WARN,
            file + " has the column '" + name + "', which the task does not use",
            "name it in data.ignore");
      }
    }
    return places;
  }

  private void add(
      RawTable.Row row, TaskInputs inputs, int[] places, int labelAt, SampleCollector collector) {
    String place = row.place();
    float[] values = new float[places.length];
    boolean whole = true;
    for (int i = 0; i < places.length; i++) {
      TaskInputs.Column column = inputs.columns().get(i);
      String cell = row.values().get(places[i]);
      double value = number(cell);
      if (column.word().isPresent()) {
        value = cell.equals(column.word().get()) ? 1 : 0;
        whole &= isKnown(inputs, column, cell, place, collector);
      } else if (!Double.isFinite(value)) {
        whole = false;
        collector.reportAt(
            place,
            "the column '" + column.name() + "' must be a number, not '" + cell + "'",
            "fill it in, or leave the row out");
      }
      values[i] = (float) ((value - column.mean()) / column.deviation());
    }
    int number = labelAt < 0 ? -1 : collector.classNumber(row.values().get(labelAt), place);
    if (whole && (number >= 0 || labelAt < 0)) {
      collector.add(place, values, number);
    }
  }

  /**
   * Whether the task names the word of a cell; another one is reported once, at the first input.
   */
  private static boolean isKnown(
      TaskInputs inputs,
      TaskInputs.Column column,
      String cell,
      String place,
      SampleCollector collector) {
    List<String> words = inputs.wordsOf(column.name());
    if (words.contains(cell)) {
      return true;
    }
    if (column.word().filter(words.getFirst()::equals).isPresent()) {
      collector.reportAt(
          place,
          "the word '"
              + cell
              + "' of column '"
              + column.name()
              + "' is not in the task, which has "
              + words,
          "correct the word, leave the row out, or agree on a task with this word");
    }
    return false;
  }

  private static double number(String word) {
    try {
      return Float.parseFloat(word);
    } catch (NumberFormatException notANumber) {
      return Double.NaN;
    }
  }

  @Override
  public TaskSuggestion suggest(DataFiles files) {
    RawTable table = table(files);
    List<String> header = table.columns();
    int labelAt = header.indexOf(label);
    if (labelAt < 0) {
      throw new SettingException(
          "label",
          "there is no column '" + label + "' in " + file,
          "name one of " + String.join(", ", header));
    }
    TreeSet<String> classes = new TreeSet<>();
    table.rows().forEach(row -> classes.add(row.values().get(labelAt)));
    List<TaskInputs.Column> columns = new ArrayList<>();
    for (int i = 0; i < header.size(); i++) {
      if (i != labelAt && !ignore.contains(header.get(i))) {
        columns.addAll(inputsOf(table, i));
      }
    }
    return new TaskSuggestion(TaskInputs.ofColumns(columns), List.copyOf(classes));
  }

  /** The input of a column of numbers, or one for each word of a column without any number. */
  private List<TaskInputs.Column> inputsOf(RawTable table, int place) {
    String name = table.columns().get(place);
    List<float[]> numbers = new ArrayList<>();
    SortedSet<String> words = new TreeSet<>();
    Optional<RawTable.Row> wrong = Optional.empty();
    for (RawTable.Row row : table.rows()) {
      String cell = row.values().get(place);
      float number = (float) number(cell);
      if (Float.isFinite(number)) {
        numbers.add(new float[] {number});
      } else {
        words.add(cell);
        wrong = wrong.or(() -> Optional.of(row));
      }
    }
    if (wrong.isEmpty()) {
      return SampleCollector.columns(List.of(name), numbers);
    }
    if (!numbers.isEmpty() || words.size() > MOST_WORDS) {
      throw new DamagedDataException(
          file,
          wrong.get().place(),
          "the column '"
              + name
              + (numbers.isEmpty()
                  ? "' has "
                      + words.size()
                      + " different words, such as '"
                      + words.getFirst()
                      + "', but a task takes at most "
                      + MOST_WORDS
                  : "' must be a number, not '" + wrong.get().values().get(place) + "'")
              + "; fill it in, or leave the column out with --ignore");
    }
    return words.stream()
        .map(word -> new TaskInputs.Column(name, Optional.of(word), 0, 1))
        .toList();
  }
}
