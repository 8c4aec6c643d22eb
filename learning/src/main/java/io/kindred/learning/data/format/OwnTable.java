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
      collector.report(
          OwnFinding.Level.FIX,
          file + " is a table, but the samples of the task are " + inputs.kind(),
          "name other data");
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
    for (int i = 0; i < places.length; i++) {
      if (places[i] < 0) {
        collector.report(
            OwnFinding.Level.FIX,
            file + " has no column '" + inputs.columns().get(i).name() + "'",
            "add it, or rename one of " + header);
      }
    }
    List<String> known = inputs.columns().stream().map(TaskInputs.Column::name).toList();
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
      double value = number(row.values().get(places[i]));
      if (!Double.isFinite(value)) {
        whole = false;
        collector.reportAt(
            place,
            "the column '"
                + column.name()
                + "' must be a number, not '"
                + row.values().get(places[i])
                + "'",
            "fill it in, or leave the row out");
      }
      values[i] = (float) ((value - column.mean()) / column.deviation());
    }
    int number = labelAt < 0 ? -1 : collector.classNumber(row.values().get(labelAt), place);
    if (whole && (number >= 0 || labelAt < 0)) {
      collector.add(place, values, number);
    }
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
    List<Integer> places = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < header.size(); i++) {
      if (i != labelAt && !ignore.contains(header.get(i))) {
        places.add(i);
        names.add(header.get(i));
      }
    }
    List<float[]> values = new ArrayList<>();
    TreeSet<String> classes = new TreeSet<>();
    for (RawTable.Row row : table.rows()) {
      float[] numbers = new float[places.size()];
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = (float) number(row.values().get(places.get(i)));
        if (!Float.isFinite(numbers[i])) {
          throw new DamagedDataException(
              file,
              row.place(),
              "the column '"
                  + names.get(i)
                  + "' must be a number, not '"
                  + row.values().get(places.get(i))
                  + "'; fill it in, or leave the column out with --ignore");
        }
      }
      values.add(numbers);
      classes.add(row.values().get(labelAt));
    }
    return new TaskSuggestion(
        TaskInputs.ofColumns(SampleCollector.columns(names, values)), List.copyOf(classes));
  }
}
