package io.kindred.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.learning.data.DataFiles;
import io.kindred.runtime.Progress;
import io.kindred.runtime.SmallExperiment;
import io.kindred.runtime.StopSignal;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.runtime.config.GridCell;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.config.ConfigFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GridRunTest {
  @TempDir private Path home;

  private final List<String> shown = new ArrayList<>();

  private static List<GridCell> cells(String sweep) {
    return ExperimentFile.of(
            ConfigFile.parse("grid.yaml", SmallExperiment.FILE + "sweep: " + sweep + "\n"),
            Optional.empty(),
            List.of("rounds=1"))
        .cells();
  }

  private GridRun.Results execute(List<GridCell> cells) {
    return grid(home, this::show, new StopSignal(), 1).execute(cells);
  }

  private static GridRun grid(Path folder, GridRun.Display display, StopSignal stop, int atOnce) {
    return new GridRun(
        folder, display, stop, new LocalGridEngine(stop, warning -> {}, DataFiles.NONE, atOnce));
  }

  private Progress show(int number, int count, String label) {
    shown.add(number + "/" + count + " " + label);
    return Progress.SILENT;
  }

  private SmallRuns.Results results(GridCell cell) {
    return SmallRuns.results(home.resolve(cell.folderName()));
  }

  @Test
  void everyCellHasAFolderOfItsOwn() {
    List<GridCell> cells = cells("{method: [local, fedavg]}");
    GridRun.Results results = execute(cells);
    assertThat(results.stopped()).isFalse();
    assertThat(results.failed()).isEmpty();
    assertThat(results.completed())
        .containsExactly(
            new GridRun.Completed(cells.get(0), home.resolve(cells.get(0).folderName())),
            new GridRun.Completed(cells.get(1), home.resolve(cells.get(1).folderName())));
    assertThat(shown).containsExactly("1/2 local", "2/2 fedavg");
  }

  @Test
  void cellsSideBySideComeToWhatTheyComeToOneAfterAnother() {
    List<GridCell> cells = cells("{method: [local, fedavg, dfedavgm], seed: [1, 2]}");
    execute(cells);
    List<SmallRuns.Results> alone = cells.stream().map(this::results).toList();

    Path elsewhere = home.resolve("elsewhere");
    GridRun.Results results =
        grid(elsewhere, (number, count, label) -> Progress.SILENT, new StopSignal(), 3)
            .execute(cells);

    assertThat(results.completed())
        .extracting(GridRun.Completed::cell)
        .containsExactlyElementsOf(cells);
    assertThat(results.completed())
        .extracting(completed -> SmallRuns.results(completed.folder()))
        .containsExactlyElementsOf(alone);
  }

  @Test
  void finishedCellsAreLeftAsTheyAre() {
    List<GridCell> all = cells("{seed: [1, 2]}");
    execute(all.subList(0, 1));
    Path summary = new RunFolder(home.resolve(all.getFirst().folderName())).summary();
    String before = RunFolder.readText(summary);
    shown.clear();
    assertThat(execute(all).completed()).hasSize(2);
    assertThat(shown).containsExactly("2/2 seed=2");
    assertThat(summary).hasContent(before);
  }

  @Test
  void aCellThatFailsDoesNotStopTheOthers() {
    List<GridCell> cells = cells("{training.weightDecay: [1e38, 0]}");
    GridRun.Results results = execute(cells);
    assertThat(results.completed())
        .extracting(GridRun.Completed::cell)
        .containsExactly(cells.get(1));
    assertThat(results.failed())
        .singleElement()
        .satisfies(
            failed -> {
              assertThat(failed.cell()).isEqualTo(cells.get(0));
              assertThat(failed.reason()).contains("diverged").contains("lower the learning rate");
            });
  }

  @Test
  void aCellThatCannotBeMetIsExplainedWithKeyAndRemedy() {
    assertThat(execute(cells("{partition.minimum: [1000]}")).failed())
        .extracting(GridRun.Failed::reason)
        .containsExactly(
            "'partition.minimum': 4 peers cannot hold 1000 samples each when there are only 240;"
                + " set the minimum to 60 or less, or use fewer peers or more samples");
  }

  @Test
  void aFailedCellIsTriedAgain() {
    List<GridCell> cells = cells("{training.weightDecay: [1e38]}");
    assertThat(execute(cells).failed()).hasSize(1);
    assertThat(execute(cells).failed()).hasSize(1);
    assertThat(shown).hasSize(2);
  }

  @Test
  void aStoppedGridGoesOnWhereItWas() {
    List<GridCell> cells = cells("{method: [local, dfedavgm, fedavg]}");
    StopSignal stop = new StopSignal();
    GridRun.Display stopInTheSecond =
        (number, count, label) -> number == 2 ? new StopAtFirst(stop) : Progress.SILENT;
    GridRun.Results stopped = grid(home, stopInTheSecond, stop, 1).execute(cells);
    assertThat(stopped.stopped()).isTrue();
    assertThat(stopped.completed())
        .extracting(GridRun.Completed::cell)
        .containsExactly(cells.get(0));
    assertThat(home.resolve(cells.get(1).folderName()).resolve("checkpoint")).isDirectory();
    assertThat(home.resolve(cells.get(2).folderName())).doesNotExist();

    GridRun.Results after = execute(cells);
    assertThat(after.stopped()).isFalse();
    assertThat(after.completed()).hasSize(3);
    assertThat(results(cells.get(1)))
        .isEqualTo(SmallRuns.runUninterrupted(cells.get(1).experiment(), home.resolve("alone")));
  }

  private record StopAtFirst(StopSignal stop) implements Progress {
    @Override
    public void begin(String what, long steps, long done) {}

    @Override
    public void stepCompleted() {
      stop.request();
    }

    @Override
    public void accuracy(double mean) {}

    @Override
    public void end(String outcome) {}
  }
}
