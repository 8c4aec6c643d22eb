package io.kindred.cli.study;

import io.kindred.storage.json.Json;
import io.kindred.studies.discovery.DiscoveryResult.CurvePoint;
import io.kindred.studies.discovery.DiscoveryStudyRun.RoundListener;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** discovery-rounds.jsonl: a line for each measured round, on disk before the next round begins. */
final class RoundsFile implements RoundListener, Closeable {
  /**
   * A line of the file.
   *
   * @param totalKilobytes what a peer has sent since the start
   * @param seconds wall time since the first round began
   */
  record RoundLine(
      int round, double recall, double coverage, double totalKilobytes, double seconds) {}

  private final BufferedWriter writer;

  private RoundsFile(BufferedWriter writer) {
    this.writer = writer;
  }

  static RoundsFile create(Path file) throws IOException {
    return new RoundsFile(Files.newBufferedWriter(file));
  }

  @Override
  public void roundMeasured(CurvePoint point, double seconds) {
    try {
      writer.write(
          Json.line(
              new RoundLine(
                  point.round(),
                  point.recall(),
                  point.coverage(),
                  point.totalKilobytes(),
                  seconds)));
      writer.newLine();
      writer.flush();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
