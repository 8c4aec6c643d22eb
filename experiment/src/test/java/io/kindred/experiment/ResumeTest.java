package io.kindred.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.config.SettingException;
import io.kindred.experiment.Run.Outcome;
import io.kindred.runtime.SmallExperiment;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.OperatorException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An interrupted and resumed run ends with the same bytes as an uninterrupted run. */
class ResumeTest {
  @TempDir private Path home;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{name: fedavg, participants: 3}",
        "{name: fedavg, fineTune: 1}",
        "{name: dfedavgm, momentum: 0.5}",
        "dfca",
        "{name: fedspd, finalEpochs: 1}",
        "{name: fedspd, finalEpochs: 1, matching: false, sendTo: same-cluster}",
        "ifca",
        "local"
      })
  void stoppedAnywhereAndResumedEqualsUninterrupted(String method) {
    Experiment experiment = SmallExperiment.with("method=" + method);
    SmallRuns.Results whole = SmallRuns.runUninterrupted(experiment, home.resolve("whole"));
    int stride = method.contains("dfedavgm") ? 1 : 4;
    for (int point = 0; point <= SmallRuns.DEPLOYMENTS; point += stride) {
      Path folder = home.resolve("stopped-" + point);
      assertThat(SmallRuns.runUntilStopped(point, experiment, folder)).isEqualTo(Outcome.STOPPED);
      assertThat(new RunFolder(folder).isFinished()).isFalse();
      assertThat(SmallRuns.runToEnd(experiment, folder)).as("stop %d", point).isEqualTo(whole);
    }
  }

  @Test
  void anEngineThatIsLeftToTheProgramStaysTheOneThatTheRunWasStartedWith() throws IOException {
    Experiment experiment = SmallExperiment.with("engine=auto");
    Path folder = home.resolve("stopped");
    SmallRuns.runUntilStopped(5, experiment, folder);
    assertThat(SmallRuns.runToEnd(experiment, folder))
        .isEqualTo(SmallRuns.runUninterrupted(experiment, home.resolve("whole")));

    Path other = home.resolve("other");
    SmallRuns.runUntilStopped(5, experiment, other);
    RunFolder begun = new RunFolder(other);
    String started = RunFolder.readText(begun.config());
    RunFolder.writeText(
        begun.config(), started.replace("name: jvm", "name: torch\n  device: cuda"));
    assertThat(RunFolder.readText(begun.config())).isNotEqualTo(started);
    assertThatThrownBy(() -> SmallRuns.runToEnd(experiment, other))
        .as("cuda is what the folder says, and no machine of ours has it")
        .isInstanceOf(SettingException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void stoppedAgainAndAgainEqualsUninterrupted(int deployments) {
    Experiment experiment = SmallExperiment.with();
    SmallRuns.Results whole = SmallRuns.runUninterrupted(experiment, home.resolve("whole"));
    Path folder = home.resolve("stopped");
    int parts = 1;
    while (SmallRuns.runUntilStopped(deployments, experiment, folder) == Outcome.STOPPED) {
      parts++;
    }
    assertThat(parts).isGreaterThanOrEqualTo(SmallRuns.DEPLOYMENTS / deployments);
    assertThat(SmallRuns.results(folder)).isEqualTo(whole);
  }

  /**
   * Cluster assignments are reported only once, at the end, and some peers finish long before
   * others.
   */
  @ParameterizedTest
  @ValueSource(strings = {"dfca", "{name: fedspd, finalEpochs: 2}"})
  void clustersAreToldAlikeWheneverARunStopped(String method) {
    Experiment experiment =
        SmallExperiment.with(
            "method=" + method, "partition={name: rotation-mixture}", "evaluation.every=3");
    SmallRuns.Results whole = SmallRuns.runUninterrupted(experiment, home.resolve("whole"));
    assertThat(whole.summary()).contains("\"consensus\"");
    for (int point = SmallRuns.DEPLOYMENTS - 3; point <= SmallRuns.DEPLOYMENTS; point++) {
      Path folder = home.resolve("stopped-" + point);
      SmallRuns.runUntilStopped(point, experiment, folder);
      assertThat(SmallRuns.runToEnd(experiment, folder)).as("stop %d", point).isEqualTo(whole);
    }
  }

  @Test
  void aRunMayGoOnWithAnotherNumberOfWorkers() {
    Experiment experiment = SmallExperiment.with();
    SmallRuns.Results whole = SmallRuns.runUninterrupted(experiment, home.resolve("whole"));
    Path folder = home.resolve("stopped");
    SmallRuns.runUntilStopped(5, experiment.withWorkers(1), folder);
    assertThat(SmallRuns.runToEnd(experiment.withWorkers(3), folder)).isEqualTo(whole);
  }

  @Test
  void evaluatedSeldomAndResumedEqualsUninterrupted() {
    Experiment experiment = SmallExperiment.with("evaluation.every=2", "evaluation.global=always");
    SmallRuns.Results whole = SmallRuns.runUninterrupted(experiment, home.resolve("whole"));
    Path folder = home.resolve("stopped");
    SmallRuns.runUntilStopped(6, experiment, folder);
    assertThat(SmallRuns.runToEnd(experiment, folder)).isEqualTo(whole);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"round\":2,\"pe", "no json at all\n", "{}\n{}\n", "\0\0\0\0"})
  void whatACrashLeavesBehindIsDropped(String torn) throws IOException {
    Experiment experiment = SmallExperiment.with();
    SmallRuns.Results whole = SmallRuns.runUninterrupted(experiment, home.resolve("whole"));
    Path folder = home.resolve("crashed");
    SmallRuns.runUntilStopped(6, experiment, folder);
    RunFolder run = new RunFolder(folder);
    append(run.metrics(), torn);
    Files.writeString(run.checkpoints().resolve(".000000000999.ckpt.17-3.part"), "half a checkpoi");
    Files.writeString(folder.resolve(".summary.json.17-4.part"), "{\"schemaVer");
    assertThat(SmallRuns.runToEnd(experiment, folder)).isEqualTo(whole);
  }

  @Test
  void aFinishedRunKeepsNoCheckpoints() throws IOException {
    Experiment experiment = SmallExperiment.with();
    Path folder = home.resolve("run");
    SmallRuns.runUntilStopped(6, experiment, folder);
    assertThat(SmallRuns.checkpoints(folder)).isNotEmpty();
    SmallRuns.runToEnd(experiment, folder);
    assertThat(new RunFolder(folder).checkpoints()).doesNotExist();
  }

  @Test
  void aDiskThatTakesNoMoreIsNamedWithWhatToDo() throws IOException {
    Experiment experiment = SmallExperiment.with();
    Path folder = home.resolve("run");
    Files.createDirectories(folder);
    Files.writeString(new RunFolder(folder).checkpoints(), "in the way");
    assertThatThrownBy(() -> SmallRuns.runUntilStopped(6, experiment, folder))
        .hasMessageContaining("cannot continue the run in " + folder + ": ")
        .hasMessageContaining("the same command resumes the run");
    Files.delete(new RunFolder(folder).checkpoints());
    assertThat(SmallRuns.runToEnd(experiment, folder))
        .isEqualTo(SmallRuns.runUninterrupted(experiment, home.resolve("whole")));
  }

  @Test
  void aCrashBeforeTheFirstCheckpointStartsOver() throws IOException {
    Experiment experiment = SmallExperiment.with();
    SmallRuns.Results whole = SmallRuns.runUninterrupted(experiment, home.resolve("whole"));
    Path folder = home.resolve("crashed");
    SmallRuns.runUntilStopped(6, experiment, folder);
    for (Path checkpoint : SmallRuns.checkpoints(folder)) {
      Files.delete(checkpoint);
    }
    append(new RunFolder(folder).metrics(), "{\"round\":2,\"pe");
    assertThat(SmallRuns.runToEnd(experiment, folder)).isEqualTo(whole);
  }

  @Test
  void aTruncatedCheckpointIsToldAndTheOneBeforeTaken() throws IOException {
    Experiment experiment = SmallExperiment.with();
    SmallRuns.Results whole = SmallRuns.runUninterrupted(experiment, home.resolve("whole"));
    Path folder = home.resolve("stopped");
    SmallRuns.runUntilStopped(4, experiment, folder);
    SmallRuns.runUntilStopped(4, experiment, folder);
    Path newest = SmallRuns.checkpoints(folder).getLast();
    SmallRuns.truncate(newest);
    List<String> warnings = new ArrayList<>();
    assertThat(SmallRuns.runToEnd(experiment, folder, warnings::add)).isEqualTo(whole);
    assertThat(warnings)
        .singleElement()
        .asString()
        .startsWith("checkpoint " + newest + " is truncated: ");
  }

  @Test
  void aFlippedBitInACheckpointIsNoticed() throws IOException {
    Experiment experiment = SmallExperiment.with();
    SmallRuns.Results whole = SmallRuns.runUninterrupted(experiment, home.resolve("whole"));
    Path folder = home.resolve("stopped");
    SmallRuns.runUntilStopped(4, experiment, folder);
    SmallRuns.runUntilStopped(4, experiment, folder);
    Path newest = SmallRuns.checkpoints(folder).getLast();
    byte[] bytes = Files.readAllBytes(newest);
    bytes[bytes.length / 2] ^= 1;
    Files.write(newest, bytes);
    List<String> warnings = new ArrayList<>();
    assertThat(SmallRuns.runToEnd(experiment, folder, warnings::add)).isEqualTo(whole);
    assertThat(warnings).singleElement().asString().contains(" is damaged: expected SHA-256 ");
  }

  @Test
  void whenEveryCheckpointIsDamagedTheRunRefusesInOneLine() throws IOException {
    Experiment experiment = SmallExperiment.with();
    Path folder = home.resolve("stopped");
    SmallRuns.runUntilStopped(4, experiment, folder);
    SmallRuns.runUntilStopped(4, experiment, folder);
    List<Path> checkpoints = SmallRuns.checkpoints(folder);
    assertThat(checkpoints).hasSize(2);
    for (Path checkpoint : checkpoints) {
      SmallRuns.truncate(checkpoint);
    }
    String metrics = RunFolder.readText(new RunFolder(folder).metrics());
    List<String> warnings = new ArrayList<>();
    assertThatThrownBy(() -> SmallRuns.runToEnd(experiment, folder, warnings::add))
        .isInstanceOfSatisfying(
            OperatorException.class, refusal -> assertThat(refusal.exitCode()).isEqualTo(2))
        .hasMessageMatching(
            "checkpoint \\S+\\.ckpt is truncated: \\d+ of \\d+ bytes; there is no other checkpoint;"
                + " remove \\S+ or name another folder with --out to start over")
        .hasMessageContaining(String.valueOf(checkpoints.getFirst()))
        .hasMessageContaining("remove " + folder + " or");
    assertThat(warnings).hasSize(2);
    assertThat(new RunFolder(folder).metrics()).hasContent(metrics);
  }

  @Test
  void onlyTheLastTwoCheckpointsAreKept() throws IOException {
    Experiment experiment = SmallExperiment.with();
    Path folder = home.resolve("stopped");
    for (int part = 0; part < 4; part++) {
      SmallRuns.runUntilStopped(2, experiment, folder);
    }
    assertThat(SmallRuns.checkpoints(folder)).hasSize(2);
  }

  @Test
  void anotherConfigurationIsRefusedWithTheLineThatDiffers() {
    Path folder = home.resolve("stopped");
    SmallRuns.runUntilStopped(4, SmallExperiment.with(), folder);
    assertThatThrownBy(() -> SmallRuns.runToEnd(SmallExperiment.with("training.batch=8"), folder))
        .isInstanceOfSatisfying(
            OperatorException.class, refusal -> assertThat(refusal.exitCode()).isEqualTo(2))
        .hasMessage(
            folder
                + " was started with another configuration ('batch: 16' there, 'batch: 8' now);"
                + " resume with the same configuration, or name another folder with --out");
  }

  @Test
  void resumingAFinishedRunChangesNothing() throws IOException {
    Experiment experiment = SmallExperiment.with();
    Path folder = home.resolve("run");
    SmallRuns.runUninterrupted(experiment, folder);
    RunFolder run = new RunFolder(folder);
    String summary = RunFolder.readText(run.summary());
    var written = Files.getLastModifiedTime(run.metrics());
    SmallRuns.runToEnd(experiment, folder);
    assertThat(run.summary()).hasContent(summary);
    assertThat(Files.getLastModifiedTime(run.metrics())).isEqualTo(written);
  }

  @Test
  void aRunThatDiedWhileDrawingIsDrawnWhenResumed() throws IOException {
    Experiment experiment = SmallExperiment.with();
    Path folder = home.resolve("run");
    SmallRuns.Results whole = SmallRuns.runUninterrupted(experiment, folder);
    Files.delete(new RunFolder(folder).report());
    assertThat(SmallRuns.runToEnd(experiment, folder)).isEqualTo(whole);
    assertThat(new RunFolder(folder).report()).isNotEmptyFile();
  }

  private static void append(Path file, String text) throws IOException {
    Files.writeString(file, text, StandardCharsets.UTF_8, StandardOpenOption.APPEND);
  }
}
