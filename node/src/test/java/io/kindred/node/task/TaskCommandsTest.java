package io.kindred.node.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.learning.data.Samples;
import io.kindred.learning.data.format.OwnTable;
import io.kindred.learning.data.own.OwnFinding;
import io.kindred.node.command.NodeMain;
import io.kindred.node.transport.TaskValues;
import io.kindred.runtime.config.Experiment;
import io.kindred.storage.OperatorException;
import io.kindred.storage.config.ConfigFile;
import io.kindred.storage.config.Origin;
import io.kindred.storage.disk.DataFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TaskCommandsTest {
  private static final String SAMPLE = "id,long,wide,kind\n1,1,10,fern\n2,3,30,iris\n3,5,50,fern\n";

  @TempDir private Path home;

  @SuppressWarnings("NullAway.Init") // the field is set before each test
  TaskCommandsTest() {}

  private NetworkTask written(String... more) throws IOException {
    Path sample = Files.writeString(home.resolve("sample.csv"), SAMPLE);
    Path out = home.resolve("plants.task.yaml");
    String[] arguments = {
      "task",
      "new",
      "--from",
      sample.toString(),
      "--label",
      "kind",
      "--ignore",
      "id",
      "--out",
      out.toString()
    };
    String[] all = Arrays.copyOf(arguments, arguments.length + more.length);
    System.arraycopy(more, 0, all, arguments.length, more.length);
    assertThat(NodeMain.commandLine().execute(all)).isZero();
    return TaskFile.read(out);
  }

  private TaskCheck check(NetworkTask task, String table) throws IOException {
    Files.writeString(home.resolve("mine.csv"), table);
    return TaskCheck.of(
        task, new OwnTable("mine.csv", "kind", List.of(), ","), new DataFolder(Optional.of(home)));
  }

  @Test
  void aNewTaskHasColumnsWithTheirScalingAndClassesInOrder() throws IOException {
    NetworkTask task = written("--classes", "iris,fern,moss");
    assertThat(task.name()).isEqualTo("plants");
    assertThat(task.classes()).containsExactly("iris", "fern", "moss");
    assertThat(task.inputs().columns()).extracting("name").containsExactly("long", "wide");
    assertThat(task.inputs().columns().getFirst().mean()).isEqualTo(3);
    // The deviation of 1, 3, 5 is the root of 8/3.
    assertThat(task.inputs().columns().getFirst().deviation()).isEqualTo(1.633);
    assertThat(task.inputs().columns().get(1).deviation()).isEqualTo(16.33);
  }

  @Test
  void aTaskThatIsWrittenAndReadAgainIsTheSame() throws IOException {
    NetworkTask task = written();
    assertThat(TaskFile.parse("again", TaskFile.text(task))).isEqualTo(task);
    assertThat(TaskFile.describe(TaskFile.parse("again", TaskFile.text(task))).fingerprint())
        .isEqualTo(TaskFile.describe(task).fingerprint());
  }

  @Test
  void aColumnThatIsNoNumberIsNamedWithItsLine() throws IOException {
    Files.writeString(home.resolve("sample.csv"), "a,kind\n1,x\nred,y\n");
    assertThatThrownBy(
            () ->
                new OwnTable("sample.csv", "kind", List.of(), ",")
                    .suggest(new DataFolder(Optional.of(home))))
        .hasMessageContaining("line 3")
        .hasMessageContaining("the column 'a' must be a number, not 'red'")
        .hasMessageContaining("--ignore");
  }

  @Test
  void aCheckListsEverythingThatDoesNotFit() throws IOException {
    NetworkTask task = written();
    TaskCheck missing = check(task, "long,kind,extra\n1,fern,7\n");
    assertThat(missing.usable()).isFalse();
    assertThat(missing.findings())
        .extracting(OwnFinding::text)
        .contains(
            "mine.csv has no column 'wide'",
            "mine.csv has the column 'extra', which the task does not use");
    TaskCheck unknown = check(task, "wide,kind,long\n1,moss,7\n2,fern,9\n3,fern,-\n4,moss,1\n");
    assertThat(unknown.usable()).isFalse();
    assertThat(unknown.samples()).isEqualTo(1);
    assertThat(unknown.findings())
        .extracting(OwnFinding::text)
        .anyMatch(text -> text.startsWith("line 2, line 5: the class 'moss' is not in the task"))
        .anyMatch(text -> text.equals("line 4: the column 'long' must be a number, not '-'"));
  }

  @Test
  void aCheckOfGoodDataCountsTheirClassesInTheOrderOfTheTask() throws IOException {
    TaskCheck good = check(written(), "wide,kind,long\n1,fern,7\n2,fern,9\n");
    assertThat(good.usable()).isTrue();
    assertThat(good.classes()).containsExactly(Map.entry("fern", 2), Map.entry("iris", 0));
    assertThat(good.findings())
        .extracting(OwnFinding::text)
        .containsExactly("there is no sample of iris");
  }

  @Test
  void columnsAreFoundByNameAndScaledByTheTaskAlone() throws IOException {
    NetworkTask task = written();
    Files.writeString(home.resolve("mine.csv"), "wide,kind,long\n30,iris,3\n46.33,fern,1.367\n");
    Experiment experiment =
        TaskFile.experiment(
            task,
            Optional.of(
                ConfigFile.value("{name: csv, file: mine.csv, label: kind}", Origin.named("made"))),
            7);
    float[] first = new float[2];
    float[] second = new float[2];
    Samples samples =
        experiment
            .dataset()
            .load(experiment.dataStreams(), new DataFolder(Optional.of(home)))
            .train();
    samples.features().copy(0, first, 0);
    samples.features().copy(1, second, 0);
    assertThat(first).containsExactly(0, 0);
    assertThat(second[0]).isEqualTo(-1, within(1e-4f));
    assertThat(second[1]).isEqualTo(1, within(1e-4f));
    assertThat(samples.labels().shared()).containsExactly(1, 0);
  }

  @Test
  void aDifferenceNamesTheFirstKeyAndCountsTheOthers() {
    TaskValues here = new TaskValues(new TreeMap<>(Map.of("rounds", "20", "seed", "1", "a", "b")));
    TaskValues there = new TaskValues(new TreeMap<>(Map.of("rounds", "30", "a", "b")));
    assertThat(here.firstDifference(there))
        .isEqualTo("'rounds' is 20 here and 30 there, and 1 more differ");
    assertThat(there.firstDifference(TaskValues.parse(there.bytes())))
        .isEqualTo("the tasks are equal");
    assertThat(TaskValues.parse(here.bytes()).fingerprint()).isEqualTo(here.fingerprint());
  }

  @Test
  void aTaskWithTwoKindsOfInputsIsRefused() {
    String two =
        """
        name: t
        inputs: {shape: [4], pictures: {size: 8}}
        classes: [a, b]
        method: local
        """;
    assertThatThrownBy(() -> TaskFile.parse("t.yaml", two))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("t.yaml:2")
        .hasMessageContaining("one of 'columns', 'pictures', 'sounds', 'words' and 'shape'");
  }

  @Test
  void aFileThatIsNoModelCardIsRefused() throws IOException {
    Path file = Files.writeString(home.resolve("card.json"), "{\"round\": 1}");
    assertThatThrownBy(() -> PredictorCard.read(file))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("deployed/model.json");
  }
}
