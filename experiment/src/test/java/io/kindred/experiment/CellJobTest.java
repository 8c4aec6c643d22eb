package io.kindred.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.runtime.SmallExperiment;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.config.GridCell;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.OperatorException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CellJobTest {
  @TempDir private Path home;

  private final List<String> warnings = new ArrayList<>();

  /** Serializes the job and its result, as an engine does between machines. */
  private CellResult executeAndUnpack(Experiment experiment) throws Exception {
    CellJob order = CellJob.of(new GridCell(List.of(), experiment), Optional.empty());
    return serializedCopy(serializedCopy(order).execute(home.resolve("scratch")));
  }

  @SuppressWarnings("unchecked") // what is read is a copy of what was written
  private static <T> T serializedCopy(T value) throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (T) in.readObject();
    }
  }

  @Test
  void aCellThatWasComputedElsewhereIsAFinishedRunOfTheSameExperiment() throws Exception {
    Experiment experiment = SmallExperiment.with();
    RunFolder folder = new RunFolder(home.resolve("here"));
    executeAndUnpack(experiment).unpack(folder, warnings::add);

    assertThat(folder.isFinished()).isTrue();
    // Resuming refuses a folder of any other configuration.
    assertThat(SmallRuns.runToEnd(experiment, folder.path()))
        .isEqualTo(SmallRuns.runUninterrupted(experiment, home.resolve("whole")));
    assertThat(folder.report()).exists();
    assertThat(warnings).isEmpty();
  }

  @Test
  void itTakesThePlaceOfWhatWasBegun() throws Exception {
    Experiment experiment = SmallExperiment.with();
    RunFolder folder = new RunFolder(home.resolve("here"));
    SmallRuns.runUntilStopped(5, experiment, folder.path());
    assertThat(SmallRuns.checkpoints(folder.path())).isNotEmpty();
    executeAndUnpack(experiment).unpack(folder, warnings::add);

    assertThat(SmallRuns.checkpoints(folder.path())).isEmpty();
    assertThat(SmallRuns.results(folder.path()))
        .isEqualTo(SmallRuns.runUninterrupted(experiment, home.resolve("whole")));
  }

  @Test
  void aFailureIsDeliveredAndLeavesNothingBehind() throws Exception {
    CellResult delivery = executeAndUnpack(SmallExperiment.with("training.weightDecay=1e38"));
    Path folder = home.resolve("here");

    assertThatThrownBy(() -> delivery.unpack(new RunFolder(folder), warnings::add))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("diverged");
    assertThat(folder).doesNotExist();
  }

  @Test
  void dataThatAreNowhereAreNamedByThePlaceWhereTheyWereLookedFor() throws Exception {
    Experiment experiment = SmallExperiment.with("dataset=mnist");
    // The submitter's folder, if it exists, takes precedence over the one that this machine's
    // environment names.
    Path empty = Files.createDirectories(home.resolve("empty"));
    CellJob order = CellJob.of(new GridCell(List.of(), experiment), Optional.of(empty));

    assertThat(order.execute(home.resolve("scratch")))
        .isInstanceOfSatisfying(
            CellResult.Failed.class,
            failed -> assertThat(failed.reason()).contains("data set mnist is missing"));
  }
}
