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
 * A cell as something that can be sent: whoever gets it computes the cell in a folder of its own
 * and answers with what is in it.
 *
 * @param configuration the resolved experiment
 * @param workers how many threads compute it
 * @param data the folder of data sets where the order was written, empty where there is none
 */
public record CellJob(String configuration, int workers, String data) implements Serializable {
  private static final long serialVersionUID = 1;

  /** One thread unless the experiment asks for more: sisters of the cell have the other cores. */
  public static CellJob of(GridCell cell, Optional<Path> data) {
    Experiment experiment = cell.experiment();
    return new CellJob(
        ExperimentFile.resolvedYaml(experiment.withWorkers(0)),
        Math.max(1, experiment.workers()),
        data.map(folder -> folder.toAbsolutePath().toString()).orElse(""));
  }

  /** Never throws for what is wrong with the experiment: that would be wrong elsewhere, too. */
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

  /** The folder by the name it has for whoever ordered, or else as this machine calls its own. */
  private DataFiles dataFiles(@Nullable String here) {
    Optional<Path> there = Optional.of(data).filter(name -> !name.isEmpty()).map(Path::of);
    return new DataFolder(
        there
            .filter(Files::isDirectory)
            .or(() -> Optional.ofNullable(here).filter(name -> !name.isEmpty()).map(Path::of))
            .or(() -> there));
  }
}
