package io.kindred.experiment;

import io.kindred.learning.data.DataFiles;
import io.kindred.runtime.Progress;
import io.kindred.runtime.StopSignal;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.runtime.config.GridCell;
import io.kindred.runtime.folder.InsufficientMemoryException;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.config.ConfigFile;
import io.kindred.storage.disk.DataFolder;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A serializable job for one grid cell. A worker computes the cell in a scratch folder of its own
 * and returns the files of that folder as a {@link CellResult}.
 *
 * @param configuration the resolved experiment
 * @param workers how many threads compute the cell
 * @param data the folder of data sets on the submitting machine, empty if none is named
 */
public record CellJob(String configuration, int workers, String data) implements Serializable {
  private static final long serialVersionUID = 1;

  /**
   * One thread unless the experiment asks for more: other cells of the grid use the other cores.
   */
  public static CellJob of(GridCell cell, Optional<Path> data) {
    Experiment experiment = cell.experiment();
    return new CellJob(
        ExperimentFile.resolvedYaml(experiment.withWorkers(0)),
        Math.max(1, experiment.workers()),
        data.map(folder -> folder.toAbsolutePath().toString()).orElse(""));
  }

  /**
   * Returns a failure of the experiment as a result instead of throwing it: the same experiment
   * would fail on every other worker, too.
   */
  public CellResult execute(Path scratch) {
    List<String> warnings = new ArrayList<>();
    RunFolder folder = new RunFolder(scratch);
    try {
      new Run(
              experiment(),
              folder,
              Progress.SILENT,
              new StopSignal(),
              warnings::add,
              dataFiles(System.getenv("KINDRED_DATA")))
          .execute(false);
      return CellResult.Finished.of(folder, warnings);
    } catch (InsufficientMemoryException full) {
      return new CellResult.InsufficientMemory(full.line());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + scratch, e);
    } catch (RuntimeException e) {
      return new CellResult.Failed(GridRun.reason(e));
    }
  }

  private Experiment experiment() {
    return ExperimentFile.of(
            ConfigFile.parse("config.yaml", configuration), Optional.empty(), List.of())
        .experiment()
        .withWorkers(workers);
  }

  /**
   * The submitter's folder if it exists on this machine, else the folder that this machine's
   * environment names.
   */
  private DataFiles dataFiles(@Nullable String localFolder) {
    Optional<Path> submittedFolder =
        Optional.of(data).filter(name -> !name.isEmpty()).map(Path::of);
    return new DataFolder(
        submittedFolder
            .filter(Files::isDirectory)
            .or(
                () ->
                    Optional.ofNullable(localFolder).filter(name -> !name.isEmpty()).map(Path::of))
            .or(() -> submittedFolder));
  }
}
