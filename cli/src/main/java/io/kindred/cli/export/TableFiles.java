package io.kindred.cli.export;

import io.kindred.cli.query.RunTables;
import io.kindred.report.run.RunRecord;
import io.kindred.storage.disk.Csv;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Writes runs as tables: metrics, rounds, summary and confusion. The fields that a method adds to a
 * line of metrics are one JSON column, so that columns do not depend on which runs are exported
 * together.
 */
public final class TableFiles {
  private static final String FLAT_METRICS =
      "select * replace (cast(to_json(extra) as varchar) as extra) from metrics order by run,"
          + " round, stage desc, peer";

  private TableFiles() {}

  /** Writes each table that the runs have; returns the files. */
  public static List<Path> write(Path folder, String ending, List<RunRecord> runs)
      throws IOException {
    Files.createDirectories(folder);
    List<Path> files = new ArrayList<>();
    try (RunTables tables = RunTables.open(runs.stream().map(RunRecord::folder).toList())) {
      for (String name : tables.tableNames()) {
        Path file = folder.resolve(name + "." + ending);
        if (name.equals("summary") && ending.equals("csv")) {
          Files.writeString(file, summaries(runs), StandardCharsets.UTF_8);
        } else {
          tables.write(name.equals("metrics") ? FLAT_METRICS : "select * from " + name, file);
        }
        files.add(file);
      }
    }
    return files;
  }

  /** A summary is nested but a CSV line is flat: columns are paths, such as accuracy.local.mean. */
  private static String summaries(List<RunRecord> runs) {
    TreeSet<String> paths = new TreeSet<>();
    runs.forEach(run -> paths.addAll(run.summary().scalars().keySet()));
    List<String> header = new ArrayList<>(paths);
    header.addFirst("run");
    StringBuilder out = new StringBuilder(Csv.line(header));
    for (RunRecord run : runs) {
      if (run.finished()) {
        List<String> cells = new ArrayList<>();
        cells.add(runName(run));
        paths.forEach(path -> cells.add(run.summary().text(path)));
        out.append(Csv.line(cells));
      }
    }
    return out.toString();
  }

  /** The name of the run's folder. */
  static String runName(RunRecord run) {
    return String.valueOf(run.folder().toAbsolutePath().normalize().getFileName());
  }
}
