package io.kindred.cli.export;

import io.kindred.report.run.RunRecord;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * Writes runs as TensorBoard logs: one folder per run, one curve per figure, rounds as steps. Time
 * stamps are the run's virtual time, because equal runs must be written equal; "relative" in
 * TensorBoard therefore means virtual seconds.
 */
public final class TensorBoard {
  /** TensorBoard reads files with "tfevents" in their name; the number is usually a time. */
  private static final String NAME = "events.out.tfevents.0000000000.kindred";

  private TensorBoard() {}

  /** Writes the runs below the folder; returns the files. */
  public static List<Path> write(Path folder, List<RunRecord> runs) throws IOException {
    List<Path> files = new ArrayList<>();
    for (RunRecord run : runs) {
      Path file = Files.createDirectories(folder.resolve(TableFiles.runName(run))).resolve(NAME);
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
        write(out, run);
      }
      files.add(file);
    }
    return files;
  }

  private static void write(OutputStream out, RunRecord run) throws IOException {
    EventFile events = new EventFile(out, 0);
    // A figure of a round may be recorded at two stages; TensorBoard would draw both.
    SequencedMap<String, MetricPoint> once = new LinkedHashMap<>();
    MetricPoint.of(run)
        .forEach(point -> once.putIfAbsent(point.name() + " " + point.round(), point));
    for (MetricPoint line : once.values()) {
      events.writeScalar(line.name(), line.round(), line.virtualSeconds(), (float) line.value());
    }
  }
}
