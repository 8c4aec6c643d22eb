package io.kindred.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.files.OperatorException;
import io.kindred.lab.experiment.Experiment;
import io.kindred.lab.experiment.GridCell;
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

class CellOrderTest {
  @TempDir private Path home;

  private final List<String> warnings = new ArrayList<>();

  /** Order and delivery as they would travel. */
  private CellDelivery deliver(Experiment experiment) throws Exception {
    CellOrder order = CellOrder.of(new GridCell(List.of(), experiment), Optional.empty());
    return sent(sent(order).execute(home.resolve("scratch")));
  }

  @SuppressWarnings("unchecked") // what is read is a copy of what was written
  private static <T> T sent(T value) throws IOException, ClassNotFoundException {
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
    Experiment experiment = SmallRuns.experiment();
    RunFolder folder = new RunFolder(home.resolve("here"));
    deliver(experiment).unpack(folder, warnings::add);

    assertThat(folder.isFinished()).isTrue();
    // Refuses a folder of any other configuration.
    assertThat(SmallRuns.toTheEnd(experiment, folder.path()))
        .isEqualTo(SmallRuns.whole(experiment, home.resolve("whole")));
    assertThat(folder.report()).exists();
    assertThat(warnings).isEmpty();
  }

  @Test
  void itTakesThePlaceOfWhatWasBegun() throws Exception {
    Experiment experiment = SmallRuns.experiment();
    RunFolder folder = new RunFolder(home.resolve("here"));
    SmallRuns.until(5, experiment, folder.path());
    assertThat(SmallRuns.checkpoints(folder.path())).isNotEmpty();
    deliver(experiment).unpack(folder, warnings::add);

    assertThat(SmallRuns.checkpoints(folder.path())).isEmpty();
    assertThat(SmallRuns.results(folder.path()))
        .isEqualTo(SmallRuns.whole(experiment, home.resolve("whole")));
  }

  @Test
  void aFailureIsDeliveredAndLeavesNothingBehind() throws Exception {
    CellDelivery delivery = deliver(SmallRuns.experiment("training.learningRate=1e38"));
    Path folder = home.resolve("here");

    assertThatThrownBy(() -> delivery.unpack(new RunFolder(folder), warnings::add))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("diverged");
    assertThat(folder).doesNotExist();
  }

  @Test
  void dataThatAreNowhereAreNamedByThePlaceWhereTheyWereLookedFor() throws Exception {
    Experiment experiment = SmallRuns.experiment("dataset=mnist");
    // A folder that is there comes before the one that this machine's environment names.
    Path empty = Files.createDirectories(home.resolve("empty"));
    CellOrder order = CellOrder.of(new GridCell(List.of(), experiment), Optional.of(empty));

    assertThat(order.execute(home.resolve("scratch")))
        .isInstanceOfSatisfying(
            CellDelivery.Failed.class,
            failed -> assertThat(failed.reason()).contains("data set mnist is not there"));
  }
}
