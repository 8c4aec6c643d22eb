package io.kindred.cli.data;

import io.kindred.learning.data.DamagedDataException;
import io.kindred.learning.data.RawTable;
import io.kindred.storage.disk.ParquetDecoder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Reads Parquet files with DuckDB. */
public final class DuckDbParquet implements ParquetDecoder {
  private static final String CAUSE = "Error: ";

  /** Made by the service loader. */
  public DuckDbParquet() {}

  @Override
  public RawTable decode(String file, byte[] bytes) {
    try {
      Path copy = Files.createTempFile("kindred", ".parquet");
      try {
        Files.write(copy, bytes);
        return read(file, copy, bytes.length);
      } finally {
        Files.deleteIfExists(copy);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot unpack " + file, e);
    }
  }

  private static RawTable read(String file, Path copy, int length) {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement();
        ResultSet found =
            statement.executeQuery("select columns(*)::varchar from " + source(copy))) {
      List<String> columns = new ArrayList<>();
      for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
        columns.add(found.getMetaData().getColumnLabel(i));
      }
      List<RawTable.Row> rows = new ArrayList<>();
      while (found.next()) {
        List<String> values = new ArrayList<>();
        for (int i = 1; i <= columns.size(); i++) {
          String value = found.getString(i);
          values.add(value == null ? "" : value.strip());
        }
        rows.add(new RawTable.Row("row " + (rows.size() + 1), values));
      }
      return new RawTable(file, columns, rows);
    } catch (SQLException e) {
      throw new DamagedDataException(
          file, "one of its " + length + " bytes", cause(e, copy.toString(), file));
    }
  }

  /** The rows of a Parquet file as a table in SQL. */
  private static String source(Path file) {
    return "read_parquet('" + file.toString().replace("'", "''") + "', hive_partitioning = false)";
  }

  /** A message of several lines names its cause in the last one that begins so. */
  private static String cause(SQLException e, String copy, String file) {
    List<String> lines = String.valueOf(e.getMessage()).lines().toList();
    String cause =
        lines.reversed().stream()
            .filter(line -> line.startsWith(CAUSE))
            .findFirst()
            .map(line -> line.substring(CAUSE.length()))
            .orElse(lines.isEmpty() ? "not a Parquet file" : lines.getFirst());
    return cause.replace(copy, file);
  }

  /** Writes a Parquet file as separated values with a header. */
  public static void toCsv(Path parquet, Path csv) {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "copy (select * from "
              + source(parquet)
              + ") to '"
              + csv.toString().replace("'", "''")
              + "' (format csv, header)");
    } catch (SQLException e) {
      throw new DamagedDataException(
          parquet.toString(), "its bytes", cause(e, parquet.toString(), parquet.toString()));
    }
  }
}
