package io.kindred.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.report.run.RunReader;
import io.kindred.runtime.SmallExperiment;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.runtime.config.GridCell;
import io.kindred.runtime.config.TableShape;
import io.kindred.storage.config.ConfigFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GridTableTest {
  @TempDir private Path home;

  private static ExperimentFile file(String grid) {
    return ExperimentFile.of(
        ConfigFile.parse("grid.yaml", SmallExperiment.FILE + grid), Optional.empty(), List.of());
  }

  /** The table of a grid whose cells, in order, have these figures. */
  private String table(String grid, double... figures) throws IOException {
    return table(file(grid), file(grid).table(), figures);
  }

  private String table(ExperimentFile file, TableShape shape, double... figures)
      throws IOException {
    List<GridCell> cells = file.cells();
    List<GridTable.CompletedCell> completedCell = new ArrayList<>();
    for (int i = 0; i < figures.length; i++) {
      Path folder = Files.createDirectories(home.resolve("cell-" + i));
      Files.writeString(
          folder.resolve("summary.json"),
          "{\"method\":\"m%d\",\"accuracy\":{\"local\":{\"mean\":%s,\"best\":0.99}},\"wallSeconds\":%s}"
              .formatted(i, figures[i], figures[i] * 10));
      completedCell.add(new GridTable.CompletedCell(cells.get(i), new RunReader().read(folder)));
    }
    return GridTable.of(shape, completedCell, List.of()).text();
  }

  @Test
  void rowsAndColumnsAreTheSweptValuesInTheOrderOfTheFile() throws IOException {
    String grid =
        """
        sweep: {method: [local, {name: fedavg, fineTune: 1}], partition.alpha: [1.0, 0.1]}
        table: {columns: partition.alpha}
        """;
    assertThat(table(grid, 0.5, 0.25, 0.75, 0.125))
        .isEqualTo(
            """
            method              1.0    0.1
            -----------------  -----  -----
            local              50.0   25.0*
            fedavg fineTune=1  75.0*  12.5
            """);
  }

  @Test
  void severalSeedsAreOneCellWithItsDeviation() throws IOException {
    String grid =
        """
        sweep: {method: [local], partition.alpha: [0.1, 1.0]}
        seeds: [1, 2, 3]
        table: {rows: method, columns: partition.alpha}
        """;
    // The sample deviation of 40, 50, 60 is 10.
    assertThat(table(grid, 0.4, 0.5, 0.6, 0.5, 0.5, 0.5))
        .contains("local   50.0 ± 10.0   50.0 ± 0.0");
  }

  @Test
  void rowsWithoutColumnsRunAcrossForAChart() throws IOException {
    ExperimentFile grid =
        file(
            """
            sweep: {training.epochs: [1, 5, 10]}
            table: {rows: training.epochs}
            """);
    assertThat(table(grid, grid.table().transposed(), 0.5, 0.75, 0.25).lines())
        .first()
        .asString()
        .containsPattern("^ *1 +5 +10$");
  }

  @Test
  void aThirdSweptKeyIsNamedInTheRows() throws IOException {
    String grid =
        """
        sweep: {method: [local, fedavg], partition.alpha: [0.1], peers: [3, 4]}
        table: {rows: method, columns: partition.alpha}
        """;
    assertThat(
            table(grid, 0.1, 0.2, 0.3, 0.4).lines().skip(2).map(line -> line.split(" {2,}", 2)[0]))
        .containsExactly("local, peers=3", "local, peers=4", "fedavg, peers=3", "fedavg, peers=4");
  }

  @Test
  void aCellWithoutARunIsADash() throws IOException {
    String grid =
        """
        sweep: {method: [local, fedavg], partition.alpha: [0.1, 1.0]}
        table: {rows: method, columns: partition.alpha}
        """;
    assertThat(table(grid, 0.5, 0.25, 0.75).lines().toList().getLast())
        .matches("fedavg +75.0\\* +-\\s*");
  }

  @Test
  void anyFigureOfTheSummaryCanBeShown() throws IOException {
    String grid =
        """
        sweep: {method: [local], peers: [3, 4]}
        table: {rows: method, columns: peers, cell: wallSeconds}
        """;
    assertThat(table(grid, 0.5, 0.25)).contains("5.000").contains("2.500").doesNotContain("*");
  }

  /** Every run's best round has 0.99; the table of a file without {@code cell} never shows it. */
  @Test
  void theBestRoundIsShownOnlyOnRequestAndLabelled() throws IOException {
    String grid =
        """
        sweep: {method: [local], peers: [3, 4]}
        table: {rows: method, columns: peers%s}
        """;
    assertThat(table(grid.formatted(""), 0.5, 0.25))
        .contains("50.0", "25.0")
        .doesNotContain("99.0")
        .doesNotContain("optimistic");
    assertThat(table(grid.formatted(", cell: accuracy.local.best"), 0.5, 0.25))
        .contains("99.0")
        .endsWith(
            "best round: optimistic, because the round is chosen on the samples that it is measured"
                + " on; the last round is cell: accuracy.local.mean\n");
  }

  /** Two peers, each with other accuracies under either method; no column compares with another. */
  @Test
  void theRowsOfAColumnAreComparedPeerByPeer() throws IOException {
    ExperimentFile file =
        file(
            """
            sweep: {method: [local, fedavg], partition.alpha: [0.1, 1.0]}
            table: {rows: method, columns: partition.alpha}
            """);
    double[][] accuracies = {{0.5, 0.5}, {0.6, 0.6}, {0.5, 0.54}, {0.6, 0.68}};
    List<GridTable.CompletedCell> completed = new ArrayList<>();
    for (int i = 0; i < accuracies.length; i++) {
      GridCell cell = file.cells().get(i);
      Path folder = Files.createDirectories(home.resolve("cell-" + i));
      String line =
          "{\"round\":1,\"peer\":%d,\"stage\":\"mixed\",\"accuracy\":%s,\"samples\":30}\n";
      Files.writeString(
          folder.resolve("metrics.jsonl"),
          line.formatted(0, accuracies[i][0]) + line.formatted(1, accuracies[i][1]));
      Files.writeString(
          folder.resolve("summary.json"),
          "{\"method\":\"%s\",\"seed\":1,\"accuracy\":{\"local\":{\"mean\":%s}}}"
              .formatted(cell.labelOf("method"), (accuracies[i][0] + accuracies[i][1]) / 2));
      completed.add(new GridTable.CompletedCell(cell, new RunReader().read(folder)));
    }
    // Standard errors over two peers are half of 0.04 and 0.08; times 2.8 they are 5.6 and 11.2.
    assertThat(GridTable.of(file.table(), completed, List.of()).remarks())
        .containsExactly(
            "test samples 60 (2 peers x 1 seed); smallest detectable difference from fedavg 5.6 to"
                + " 11.2 points (5% level, 80% power, standard error over peers)",
            "warning: a difference of 2 points could not be seen here: the smallest detectable"
                + " difference is 11.2 points (local against fedavg); add seeds (--seeds) or test"
                + " samples (evaluation.localTest / dataset.samples)");
  }

  @Test
  void withoutColumnsTheUsualComparisonIsShown() throws IOException {
    assertThat(table("sweep: {peers: [3, 4]}\n", 0.5, 0.25))
        .startsWith("method  accuracy %")
        .contains("m0")
        .contains("m1");
  }
}
