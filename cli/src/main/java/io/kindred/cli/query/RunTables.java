package io.kindred.cli.query;

import io.kindred.storage.OperatorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Run folders as SQL tables: {@code metrics} has one row for each evaluation of a peer, {@code
 * rounds} one for each round, {@code summary} one for each run, and {@code confusion} one for each
 * peer, class and predicted class; {@code run} names the folder. Files are read in place and never
 * modified.
 */
public final class RunTables implements AutoCloseable {
  private static final Map<String, String> FILES =
      new TreeMap<>(
          Map.of(
              "confusion", "confusion.csv",
              "metrics", "metrics.jsonl",
              "rounds", "rounds.csv",
              "summary", "summary.json"));

  /** Output formats by file name extension. */
  private static final Map<String, String> FORMATS =
      new TreeMap<>(
          Map.of(
              "parquet", "FORMAT parquet, COMPRESSION zstd",
              "csv", "FORMAT csv, HEADER",
              "json", "FORMAT json, ARRAY true"));

  /** The prefix of the cause in a message of several lines. */
  private static final String REASON = "Error: ";

  private final Connection connection;

  private RunTables(Connection connection) {
    this.connection = connection;
  }

  public static RunTables open(List<Path> runs) {
    try {
      RunTables tables = new RunTables(DriverManager.getConnection("jdbc:duckdb:"));
      tables.createViews(runs);
      return tables;
    } catch (SQLException e) {
      throw sqlError(e);
    }
  }

  private void createViews(List<Path> runs) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("create table folders (filename varchar, run varchar)");
      for (Map.Entry<String, String> each : FILES.entrySet()) {
        List<Path> files =
            runs.stream()
                .map(run -> run.resolve(each.getValue()))
                .filter(Files::isRegularFile)
                .toList();
        if (!files.isEmpty()) {
          for (Path file : files) {
            insertFolder(file);
          }
          statement.execute(view(each.getKey(), files));
        }
      }
    }
  }

  private void insertFolder(Path file) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("insert into folders values (?, ?)")) {
      insert.setString(1, file.toString());
      Path folder = file.toAbsolutePath().getParent();
      insert.setString(2, folder == null ? "" : String.valueOf(folder.getFileName()));
      insert.execute();
    }
  }

  /** Hive partitioning is off: a folder that is named key=value must not become a column. */
  private static String view(String table, List<Path> files) {
    String paths = String.join(", ", files.stream().map(each -> quoted(each.toString())).toList());
    String common = ", filename = true, hive_partitioning = false, union_by_name = true)";
    String rows =
        switch (table) {
          case "rounds" -> "read_csv([" + paths + "], header = true" + common;
          // Names of classes may look like numbers, dates or nulls in one run and not in another.
          case "confusion" ->
              "read_csv(["
                  + paths
                  + "], header = true, nullstr = '', types = {'class': 'VARCHAR', 'predicted':"
                  + " 'VARCHAR'}"
                  + common;
          // Samples all lines, because a field may first appear in a later round.
          case "metrics" ->
              "read_json([" + paths + "], format = 'newline_delimited', sample_size = -1" + common;
          default -> "read_json([" + paths + "]" + common;
        };
    return "create view "
        + table
        + " as select f.run, m.* exclude (filename) from "
        + rows
        + " m join folders f using (filename)";
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  public QueryResult query(String sql) {
    try (Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(sql)) {
      ResultSetMetaData shape = found.getMetaData();
      List<String> columns = new ArrayList<>();
      for (int i = 1; i <= shape.getColumnCount(); i++) {
        columns.add(shape.getColumnLabel(i));
      }
      List<List<Optional<Object>>> rows = new ArrayList<>();
      while (found.next()) {
        List<Optional<Object>> row = new ArrayList<>();
        for (int i = 1; i <= columns.size(); i++) {
          row.add(Optional.ofNullable(found.getObject(i)).map(RunTables::plainValue));
        }
        rows.add(List.copyOf(row));
      }
      return new QueryResult(columns, rows);
    } catch (SQLException e) {
      throw sqlError(e);
    }
  }

  /** The tables that the run folders have. */
  public List<String> tableNames() {
    return FILES.keySet().stream().filter(this::exists).toList();
  }

  private boolean exists(String table) {
    String sql = "select 1 from information_schema.tables where table_name = " + quoted(table);
    return !query(sql).rows().isEmpty();
  }

  private static Object plainValue(Object value) {
    return value instanceof Number || value instanceof Boolean ? value : value.toString();
  }

  /** Writes the rows of a query to a file with the extension .parquet, .csv or .json. */
  public void write(String sql, Path file) {
    String name = String.valueOf(file.getFileName());
    String format = FORMATS.get(name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT));
    if (format == null) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          file + " must end in one of " + String.join(", ", FORMATS.keySet()));
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute("copy (" + sql + ") to " + quoted(file.toString()) + " (" + format + ")");
    } catch (SQLException e) {
      throw sqlError(e);
    }
  }

  private static OperatorException sqlError(SQLException e) {
    List<String> lines = String.valueOf(e.getMessage()).lines().toList();
    String said =
        lines.stream()
            .filter(line -> line.startsWith(REASON))
            .map(line -> line.substring(REASON.length()))
            .findFirst()
            .orElse(lines.isEmpty() ? "" : lines.getFirst());
    return new OperatorException(
        OperatorException.WRONG_USE,
        said
            + "; tables are metrics, rounds, summary and confusion, and 'describe metrics' lists"
            + " columns");
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw sqlError(e);
    }
  }
}
