package io.kindred.learning.data.format;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.DamagedDataException;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.DataSource;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.FloatFeatures;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.Scaling;
import io.kindred.learning.data.StratifiedSplit;
import io.kindred.learning.data.Users;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * A user's own table: a file of separated values whose first line names the columns. One column is
 * the label, one may name the user, the others must be numbers. The common test set is a second
 * file, or a share of every class drawn from the first. Columns are scaled by the statistics of the
 * training rows.
 */
@Named(value = "csv", summary = "your own table: separated values with a label column")
public record CsvTable(
    @Setting(
            doc = "folder of the files: a path below the data folder, or any other path",
            fallback = "csv")
        String folder,
    @Setting(doc = "name of the column that holds the class", fallback = "label") String label,
    @Setting(
            doc = "name of the column that holds the user of a row; empty for none",
            fallback = "''")
        String user,
    @Setting(doc = "names of columns to ignore", fallback = "[]") List<String> ignore,
    @Setting(doc = "file of the training rows", fallback = "train.csv") String train,
    @Setting(
            doc = "file of the test rows; empty takes a share of the training rows",
            fallback = "''")
        String test,
    @Setting(
            doc = "share of each class that becomes the common test set if there is no test file",
            fallback = "0.2",
            above = 0,
            max = 0.9)
        double testShare,
    @Setting(doc = "character between two values", fallback = "','") String separator,
    @Setting(
            doc = "whether columns are scaled to mean 0 and standard deviation 1",
            fallback = "true")
        boolean scale)
    implements DataSource {
  public CsvTable {
    ignore = List.copyOf(ignore);
    if (separator.length() != 1 || separator.equals("\"")) {
      throw new SettingException(
          "separator",
          "'" + separator + "' is not a single character",
          "choose one such as ',' or ';'");
    }
  }

  /** Rows with parsed feature values; labels and users are still text. */
  private record Table(
      List<String> columns, List<float[]> rows, List<String> labels, List<String> users) {
    Table select(boolean[] marks, boolean mark) {
      Table chosen = new Table(columns, new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
      for (int i = 0; i < rows.size(); i++) {
        if (marks[i] == mark) {
          chosen.rows.add(rows.get(i));
          chosen.labels.add(labels.get(i));
          chosen.users.add(users.get(i));
        }
      }
      return chosen;
    }
  }

  @Override
  public Dataset load(RandomStreams streams, DataFiles files) {
    Table first = read(files, train);
    List<String> classes = List.copyOf(new TreeSet<>(first.labels));
    if (classes.size() < 2) {
      throw new DamagedDataException(
          folder + "/" + train, "line 2", "all rows have the label " + classes.getFirst());
    }
    if (!test.isEmpty()) {
      return dataset(first, sameColumns(first, read(files, test)), classes);
    }
    int[] labels = labelNumbers(first, classes, train);
    boolean[] marks = StratifiedSplit.draw(labels, classes.size(), testShare, streams);
    return dataset(first.select(marks, false), first.select(marks, true), classes);
  }

  private Table sameColumns(Table first, Table second) {
    if (!first.columns.equals(second.columns)) {
      throw new DamagedDataException(
          folder + "/" + test,
          "line 1",
          "its columns are "
              + second.columns
              + ", but the columns of "
              + train
              + " "
              + first.columns);
    }
    return second;
  }

  private Dataset dataset(Table first, Table second, List<String> classes) {
    int width = first.columns.size();
    float[] trainValues = values(first, width);
    float[] testValues = values(second, width);
    if (scale) {
      Scaling.fitAndApply(trainValues, testValues, width, 1);
    }
    TreeSet<String> users = new TreeSet<>(first.users);
    users.addAll(second.users);
    List<String> names = List.copyOf(users);
    return new Dataset(
        "csv",
        List.of(width),
        classes.size(),
        samples(first, trainValues, labelNumbers(first, classes, train), names),
        samples(second, testValues, labelNumbers(second, classes, test), names));
  }

  private Samples samples(Table table, float[] values, int[] labels, List<String> users) {
    return new Samples(
        new FloatFeatures(values, table.columns.size()),
        Ints.wrap(labels),
        user.isEmpty() ? Optional.empty() : Optional.of(Users.of(table.users, users)));
  }

  private int[] labelNumbers(Table table, List<String> classes, String name) {
    int[] numbers = new int[table.labels.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = Collections.binarySearch(classes, table.labels.get(i));
      if (numbers[i] < 0) {
        throw new DamagedDataException(
            folder + "/" + name,
            "row " + (i + 1),
            "the label '" + table.labels.get(i) + "' is not in " + train);
      }
    }
    return numbers;
  }

  private static float[] values(Table table, int width) {
    float[] values = new float[table.rows.size() * width];
    for (int i = 0; i < table.rows.size(); i++) {
      System.arraycopy(table.rows.get(i), 0, values, i * width, width);
    }
    return values;
  }

  private Table read(DataFiles files, String name) {
    String file = folder + "/" + name;
    List<CsvParser.Row> rows = CsvParser.rows(file, files.read(folder, name), separator.charAt(0));
    List<String> header = rows.getFirst().values();
    int labelAt = requireColumn(file, header, label, "label");
    int userAt = user.isEmpty() ? -1 : requireColumn(file, header, user, "user");
    List<Integer> features = new ArrayList<>();
    List<String> columns = new ArrayList<>();
    ignore.forEach(each -> requireColumn(file, header, each, "ignore"));
    for (int i = 0; i < header.size(); i++) {
      if (i != labelAt && i != userAt && !ignore.contains(header.get(i))) {
        features.add(i);
        columns.add(header.get(i));
      }
    }
    if (rows.size() < 2 || features.isEmpty()) {
      throw new DamagedDataException(
          file,
          "line 1",
          features.isEmpty()
              ? "no feature column is left"
              : "the file has no row after its header");
    }
    Table table = new Table(columns, new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (CsvParser.Row row : rows.subList(1, rows.size())) {
      float[] values = new float[features.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = number(file, row, features.get(i), header);
      }
      table.rows.add(values);
      table.labels.add(word(file, row, labelAt, header));
      table.users.add(userAt < 0 ? "" : word(file, row, userAt, header));
    }
    return table;
  }

  private static int requireColumn(String file, List<String> header, String name, String setting) {
    int at = header.indexOf(name);
    if (at < 0) {
      throw new SettingException(
          "dataset." + setting,
          "there is no column '" + name + "' in " + file,
          "its columns are " + String.join(", ", header));
    }
    return at;
  }

  private static String word(String file, CsvParser.Row row, int column, List<String> header) {
    String word = row.values().get(column);
    if (word.isEmpty()) {
      throw new DamagedDataException(
          file, "line " + row.line(), "the column '" + header.get(column) + "' is empty");
    }
    return word;
  }

  private static float number(String file, CsvParser.Row row, int column, List<String> header) {
    String word = row.values().get(column);
    try {
      float value = Float.parseFloat(word);
      if (Float.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException notANumber) {
      // Reported below, together with values that are not finite.
    }
    throw new DamagedDataException(
        file,
        "line " + row.line(),
        "the column '"
            + header.get(column)
            + "' must be a number, not '"
            + word
            + "'; fill it in, or name the column in dataset.ignore");
  }
}
