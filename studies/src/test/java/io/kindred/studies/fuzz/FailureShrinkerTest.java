package io.kindred.studies.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.learning.data.DataFiles;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.storage.config.ConfigFile;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FailureShrinkerTest {
  private static Experiment planted() throws IOException {
    return ExperimentFile.of(
            ConfigFile.parse("mixed", Scenarios.text("mixed")),
            Optional.empty(),
            List.of("faults.loss=0", "faults.crashes=0"))
        .cells()
        .getFirst()
        .experiment()
        .with(new CountsTwice());
  }

  @Test
  void aFailureBecomesSmallerAndIsReplayed() throws IOException {
    long seed = 1;
    Optional<FuzzFailure> found = Optional.empty();
    while (found.isEmpty()) {
      found = new ExperimentFuzzCheck(Fuzzer.withSeed(planted(), seed++), DataFiles.NONE).run();
    }
    Experiment failing = Fuzzer.withSeed(planted(), seed - 1);
    FuzzFailure failure = found.get();
    FailureShrinker.Shrunk shrunk =
        new FailureShrinker(DataFiles.NONE, 100).shrink(failing, failure);
    assertThat(shrunk.failure().what()).isEqualTo(failure.what());
    assertThat(shrunk.experiment().peers()).isLessThan(failing.peers());
    assertThat(shrunk.experiment().rounds()).isLessThan(failing.rounds());
    assertThat(FaultRates.withoutOne(shrunk.experiment().faults()))
        .hasSizeLessThan(FaultRates.withoutOne(failing.faults()).size());
    assertThat(
            new ExperimentFuzzCheck(shrunk.experiment(), DataFiles.NONE).run().orElseThrow().line())
        .isEqualTo(shrunk.failure().line());
    assertThat(shrunk.line()).contains(shrunk.experiment().peers() + " peers");
  }

  @Test
  void aShrinkerStopsAfterItsRuns() throws IOException {
    Experiment experiment = Fuzzer.withSeed(planted(), 1);
    FuzzFailure never = new FuzzFailure("Never", "", 1, "", List.of());
    FailureShrinker.Shrunk shrunk =
        new FailureShrinker(DataFiles.NONE, 3).shrink(experiment, never);
    assertThat(shrunk.runs()).isEqualTo(3);
    assertThat(shrunk.experiment()).isEqualTo(experiment);
  }
}
