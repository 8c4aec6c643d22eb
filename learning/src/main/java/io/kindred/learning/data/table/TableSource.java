package io.kindred.learning.data.table;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.record.Buildable;
import io.kindred.learning.data.DamagedDataException;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.RawTable;
import io.kindred.learning.data.TaskDescription;
import io.kindred.learning.data.format.OwnData;
import io.kindred.learning.data.format.TableFormat;
import io.kindred.learning.data.format.TableReader;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A user's own table: separated values or Parquet. One column is the class, or some columns are
 * numbers to predict; one column may name the user of a row; all other columns are inputs. A column
 * of words becomes one input for each of its values. The common test set is a second file, a part
 * that a column names, or a share of the rows.
 */
@Buildable
@Named(value = "table", summary = "your own table: separated values or Parquet with a label column")
public record TableSource(
    @Setting(
            doc = "folder of the files: a path below the data folder, or any other path",
            fallback = "table")
        String folder,
    @Setting(
            doc = "file of the training rows; empty takes the only table of the folder",
            fallback = "''")
        String train,
    @Setting(
            doc = "file of the test rows; empty takes a share of the training rows",
            fallback = "''")
        String test,
    @Setting(
            doc = "name of the column that says `train` or `test` for each row; empty for none",
            fallback = "''")
        String part,
    @Setting(doc = "name of the column that holds the class", fallback = "label") String label,
    @Setting(
            doc = "names of columns of numbers to predict in place of a class, for a regression",
            fallback = "[]")
        List<String> targets,
    @Setting(
            doc = "name of the column that holds the user of a row; empty for none",
            fallback = "''")
        String user,
    @Setting(doc = "names of columns to leave out", fallback = "[]") List<String> ignore,
    @Setting(
            doc = "names of columns whose numbers are names, such as postal codes",
            fallback = "[]")
        List<String> categories,
    @Setting(
            doc = "most different words of a column; a column with more is refused",
            fallback = "50",
            min = 2)
        int mostCategories,
    @Setting(
            doc =
                "what becomes of rows with missing cells: `refuse` ends the reading, `drop` leaves"
                    + " the row out, `impute` fills in the mean of the training rows, or their most"
                    + " frequent word",
            fallback = "refuse")
        Missing missing,
    @Setting(
            doc = "cells that mean a missing value, beside empty ones",
            fallback = "['?', NA, N/A, n/a, NaN, nan, 'null', 'NULL', '-']")
        List<String> gaps,
    @Setting(doc = "whether the first line names the columns", fallback = "true") boolean header,
    @Setting(
            doc =
                "names of all columns; without them and without a header they are column1, column2"
                    + " and so on",
            fallback = "[]")
        List<String> names,
    @Setting(
            doc =
                "character between two values, or `tab`, `blank`, or `auto` for the one that fits"
                    + " all lines",
            fallback = "auto")
        String separator,
    @Setting(doc = "sign before decimal places", fallback = "point") TableFormat.Decimal decimal,
    @Setting(doc = "encoding of the files", fallback = "utf8") TableFormat.Encoding encoding,
    @Setting(
            doc =
                "share of each class that becomes the common test set if neither a file nor a"
                    + " column gives it",
            fallback = "0.2",
            above = 0,
            max = 0.9)
        double testShare,
    @Setting(
            doc =
                "whether columns of numbers, and targets, are scaled to mean 0 and standard"
                    + " deviation 1",
            fallback = "true")
        boolean scale,
    @Setting(
            doc =
                "folder of a run whose columns, classes and scaling are taken, so that new rows are"
                    + " the same task")
        Optional<String> like)
    implements OwnData {
  /** What becomes of rows with missing cells. */
  public enum Missing {
    REFUSE,
    DROP,
    IMPUTE
  }

  public TableSource {
    targets = List.copyOf(targets);
    ignore = List.copyOf(ignore);
    categories = List.copyOf(categories);
    gaps = List.copyOf(gaps);
    names = List.copyOf(names);
    if (!test.isEmpty() && !part.isEmpty()) {
      throw new SettingException(
          "part", "both a file and a column give the test rows", "choose one of test and part");
    }
    // The record checks the separator.
    new TableFormat(header, names, separator, decimal, encoding, gaps);
  }

  /** The tables of a folder with everything as by default. */
  public static TableSource in(String folder) {
    return new TableSource(
        folder,
        "",
        "",
        "",
        "label",
        List.of(),
        "",
        List.of(),
        List.of(),
        50,
        Missing.REFUSE,
        TableFormat.GAPS,
        true,
        List.of(),
        "auto",
        TableFormat.Decimal.POINT,
        TableFormat.Encoding.UTF8,
        0.2,
        true,
        Optional.empty());
  }

  TableFormat format() {
    return new TableFormat(header, names, separator, decimal, encoding, gaps);
  }

  boolean isRegression() {
    return !targets.isEmpty();
  }

  @Override
  public Dataset load(RandomStreams streams, DataFiles files, Optional<TaskDescription> given) {
    String name = train.isEmpty() ? onlyTable(files) : train;
    TableReader.Read first = TableReader.read(files, folder, name, format());
    Optional<RawTable> second =
        test.isEmpty()
            ? Optional.empty()
            : Optional.of(TableReader.read(files, folder, test, format()).table());
    second.ifPresent(other -> requireSameColumns(first.table(), other));
    return new TableTask(this, first, second, given).dataset(streams);
  }

  private String onlyTable(DataFiles files) {
    List<String> tables =
        files
            .list(
                folder,
                "*.csv or *.parquet",
                each -> {
                  String lower = each.toLowerCase(Locale.ROOT);
                  return TableReader.ENDINGS.stream().anyMatch(end -> lower.endsWith("." + end));
                })
            .stream()
            .filter(each -> !each.equals(test))
            .toList();
    if (tables.size() != 1) {
      throw new SettingException(
          "dataset.train",
          folder + " has " + tables.size() + " tables: " + String.join(", ", tables),
          "name the one with the training rows");
    }
    return tables.getFirst();
  }

  private static void requireSameColumns(RawTable first, RawTable second) {
    if (!first.columns().equals(second.columns())) {
      throw new DamagedDataException(
          second.file(),
          "its header",
          "its columns are "
              + second.columns()
              + ", but those of "
              + first.file()
              + " are "
              + first.columns());
    }
  }
}
