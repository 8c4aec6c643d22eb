package io.kindred.lab.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The figures of a report as separate SVG files, with their titles drawn inside. */
public final class PlotFiles {
  private PlotFiles() {}

  /** Writes the figures of the runs into {@code folder/plots}; answers the files written. */
  public static List<Path> write(Path folder, List<RunRecord> runs) throws IOException {
    Path plots = Files.createDirectories(folder.resolve("plots"));
    List<Path> written = new ArrayList<>();
    for (Figure figure : new Figures(Comparison.of(runs).methods(), true).all()) {
      Path file = plots.resolve(figure.name() + ".svg");
      written.add(Files.writeString(file, figure.svg(), StandardCharsets.UTF_8));
    }
    return written;
  }
}
