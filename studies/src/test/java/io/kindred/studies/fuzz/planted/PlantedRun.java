package io.kindred.studies.fuzz.planted;

import io.kindred.learning.data.DataFiles;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.runtime.config.GridCell;
import io.kindred.storage.config.ConfigFile;
import io.kindred.studies.fuzz.ExperimentFuzzCheck;
import io.kindred.studies.fuzz.FuzzFailure;
import io.kindred.studies.fuzz.Fuzzer;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** One run of a scenario in the classes of a {@link MutantLoader}; the first one is the seed. */
public final class PlantedRun implements BiFunction<Long, String, String> {
  private final int mutant;

  public PlantedRun(Integer mutant) {
    this.mutant = mutant;
  }

  /** What the fuzzer finds with a seed, or an empty text. */
  @Override
  public String apply(Long seed, String scenario) {
    List<GridCell> cells =
        ExperimentFile.of(ConfigFile.parse("scenario", scenario), Optional.empty(), List.of())
            .cells();
    Experiment experiment = cells.getFirst().experiment();
    ActiveMutant.number = mutant;
    try {
      return new ExperimentFuzzCheck(Fuzzer.withSeed(experiment, seed), DataFiles.NONE)
          .run()
          .map(FuzzFailure::line)
          .orElse("");
    } finally {
      ActiveMutant.number = ActiveMutant.NONE;
    }
  }
}
