package io.kindred.report;

import io.kindred.report.run.RunRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The figures of a report as separate files, with their titles drawn inside. */
public final class PlotFiles {
  private PlotFiles() {}

  /** Writes the figures of the runs into the folder as SVG; returns the files written. */
  public static List<Path> write(Path folder, List<RunRecord> runs) throws IOException {
    return write(folder, runs, Optional.empty());
  }

  /** Also draws the chart of the grid whose cells the runs are. */
  public static List<Path> write(Path folder, List<RunRecord> runs, Optional<TableChart> chart)
      throws IOException {
    Path plots = Files.createDirectories(folder);
    List<Path> written = new ArrayList<>();
    for (Figure figure : ComparisonFigures.all(Comparison.of(runs).methods(), chart, true)) {
      Path file = plots.resolve(figure.name() + ".svg");
      written.add(Files.writeString(file, figure.svg(), StandardCharsets.UTF_8));
    }
    return written;
  }

  /**
   * Writes a PNG beside every SVG file of the folder. The cells of a grid skip this step, because
   * it takes longer than the rest of a small run.
   */
  public static List<Path> writePngs(Path folder) throws IOException {
    List<Path> drawn;
    try (Stream<Path> files = Files.list(folder)) {
      drawn = files.filter(file -> file.toString().endsWith(".svg")).sorted().toList();
    }
    List<Path> written = new ArrayList<>();
    for (Path file : drawn) {
      String name = String.valueOf(file.getFileName()).replaceFirst("svg$", "png");
      written.add(Files.write(file.resolveSibling(name), Rasterizer.png(Files.readString(file))));
    }
    return written;
  }
}
