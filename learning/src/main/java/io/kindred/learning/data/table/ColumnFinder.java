package io.kindred.learning.data.table;

import io.kindred.core.config.SettingException;
import io.kindred.learning.data.DamagedDataException;
import io.kindred.learning.data.InputColumn;
import io.kindred.learning.data.TableColumn;
import io.kindred.learning.data.format.TableFormat;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds out whether the columns of a table hold numbers, categories or nothing. */
final class ColumnFinder {
  private static final int MOST_EXAMPLES = 3;

  /** From this share of numbers on, a word is taken for a mistake and not for a category. */
  private static final double MOSTLY = 0.5;

  /** A column and where it is in a row. */
  record Found(int at, TableColumn column) {
    boolean used() {
      return column.use() == TableColumn.Use.INPUT;
    }

    boolean isNumber() {
      return column.kind() == TableColumn.Kind.NUMBER;
    }
  }

  /** What the cells of a column are. */
  private static final class Cells {
    private int missing;
    private int numbers;
    private int commas;
    private Optional<TableTask.Line> firstWord = Optional.empty();
    private final Set<String> distinct = new LinkedHashSet<>();
    private int present;

    List<String> examples() {
      return distinct.stream().limit(MOST_EXAMPLES).toList();
    }
  }

  private final TableSource source;
  private final TableFormat format;
  private final String file;
  private final List<String> columns;
  private final List<TableTask.Line> lines;

  ColumnFinder(TableSource source, String file, List<String> columns, List<TableTask.Line> lines) {
    this.source = source;
    this.format = source.format();
    this.file = file;
    this.columns = columns;
    this.lines = lines;
  }

  private Cells cells(int at) {
    Cells cells = new Cells();
    for (TableTask.Line line : lines) {
      String cell = line.values().get(at);
      if (format.isGap(cell)) {
        cells.missing++;
        continue;
      }
      cells.present++;
      if (cells.distinct.size() < TableColumn.MANY) {
        cells.distinct.add(cell);
      }
      if (Double.isFinite(format.number(cell))) {
        cells.numbers++;
      } else {
        cells.commas += TableFormat.isNumberWithComma(cell) ? 1 : 0;
        cells.firstWord = cells.firstWord.or(() -> Optional.of(line));
      }
    }
    return cells;
  }

  /** The columns that may be inputs, those that are left out included. */
  List<Found> inputs(List<Integer> places, Optional<List<InputColumn>> given) {
    List<Found> found = new ArrayList<>();
    for (int at : places) {
      String name = columns.get(at);
      Optional<InputColumn> known =
          given.flatMap(task -> task.stream().filter(each -> each.name().equals(name)).findFirst());
      if (given.isPresent() && known.isEmpty()) {
        found.add(new Found(at, unused(at, cells(at), "not in the task")));
      } else {
        found.add(new Found(at, known.map(each -> known(at, each)).orElseGet(() -> input(at))));
      }
    }
    given.ifPresent(this::requireAll);
    return found;
  }

  private void requireAll(List<InputColumn> task) {
    for (InputColumn each : task) {
      if (!columns.contains(each.name())) {
        throw new DamagedDataException(
            file, "its header", "the column '" + each.name() + "' of the task is missing");
      }
    }
  }

  /** A column of a given task keeps its kind, also if its cells are all alike here. */
  private TableColumn known(int at, InputColumn column) {
    Cells cells = cells(at);
    if (!column.categories().isEmpty()) {
      return fact(at, cells, TableColumn.Kind.CATEGORY, TableColumn.Use.INPUT, "");
    }
    requireNumbers(at, cells);
    return fact(at, cells, TableColumn.Kind.NUMBER, TableColumn.Use.INPUT, "");
  }

  private TableColumn input(int at) {
    Cells cells = cells(at);
    if (cells.present == 0) {
      return fact(at, cells, TableColumn.Kind.EMPTY, TableColumn.Use.UNUSED, "no cell has a value");
    }
    TableColumn.Kind kind = kind(at, cells);
    if (cells.distinct.size() == 1) {
      return fact(
          at,
          cells,
          kind,
          TableColumn.Use.UNUSED,
          "constant: every row has " + cells.distinct.iterator().next());
    }
    return fact(at, cells, kind, TableColumn.Use.INPUT, "");
  }

  private TableColumn.Kind kind(int at, Cells cells) {
    boolean named = source.categories().contains(columns.get(at));
    if (!named && cells.numbers == cells.present) {
      return TableColumn.Kind.NUMBER;
    }
    if (!named) {
      requireNoMistake(at, cells);
    }
    if (cells.distinct.size() > source.mostCategories()) {
      throw new SettingException(
          "dataset.mostCategories",
          columnName(at)
              + " of "
              + file
              + " has "
              + cells.distinct.size()
              + " different words, such as "
              + String.join(", ", cells.examples()),
          "name it in dataset.ignore, or choose a larger number");
    }
    return TableColumn.Kind.CATEGORY;
  }

  /** A few words among numbers are mistakes; numbers with commas need another setting. */
  private void requireNoMistake(int at, Cells cells) {
    if (cells.numbers + cells.commas == cells.present) {
      throw new SettingException(
          "dataset.decimal",
          columnName(at) + " of " + file + " has numbers with a comma, such as " + word(at, cells),
          "choose comma, or name the column in dataset.categories");
    }
    if (cells.numbers >= MOSTLY * cells.present) {
      requireNumbers(at, cells);
    }
  }

  private void requireNumbers(int at, Cells cells) {
    if (cells.firstWord.isPresent()) {
      throw new DamagedDataException(
          file,
          cells.firstWord.get().place(),
          columnName(at)
              + " is a number in "
              + cells.numbers
              + " of "
              + cells.present
              + " rows, but here it is '"
              + word(at, cells)
              + "'; correct it, or name the word in dataset.gaps or the column in"
              + " dataset.categories or dataset.ignore");
    }
  }

  private static String word(int at, Cells cells) {
    return cells.firstWord.map(line -> line.values().get(at)).orElse("");
  }

  private String columnName(int at) {
    return "the column '" + columns.get(at) + "'";
  }

  /** A column of numbers with another use than as an input. */
  TableColumn number(int at, TableColumn.Use use) {
    Cells cells = cells(at);
    requireNumbers(at, cells);
    return fact(at, cells, TableColumn.Kind.NUMBER, use, "");
  }

  /** A column of words with another use than as an input. */
  TableColumn words(int at, TableColumn.Use use) {
    return fact(at, cells(at), TableColumn.Kind.CATEGORY, use, "");
  }

  TableColumn ignored(int at, String reason) {
    return unused(at, cells(at), reason);
  }

  private TableColumn unused(int at, Cells cells, String reason) {
    TableColumn.Kind kind =
        cells.present == 0
            ? TableColumn.Kind.EMPTY
            : cells.numbers == cells.present
                ? TableColumn.Kind.NUMBER
                : cells.distinct.size() > source.mostCategories()
                    ? TableColumn.Kind.TEXT
                    : TableColumn.Kind.CATEGORY;
    return fact(at, cells, kind, TableColumn.Use.UNUSED, reason);
  }

  private TableColumn fact(
      int at, Cells cells, TableColumn.Kind kind, TableColumn.Use use, String reason) {
    return new TableColumn(
        columns.get(at), kind, use, reason, cells.missing, cells.distinct.size(), cells.examples());
  }
}
