package io.kindred.report.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.report.SyntheticRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunReaderTest {
  @TempDir private Path home;

  private final RunReader reader = new RunReader();

  private Path run() throws IOException {
    return new SyntheticRun("fedavg", 1, 5, 4, 0.7, 0.5, 1000).write(home.resolve("run"));
  }

  private static void write(Path file, String text, StandardOpenOption... options)
      throws IOException {
    Files.writeString(file, text, StandardCharsets.UTF_8, options);
  }

  @Test
  void readsAFinishedRun() throws IOException {
    RunRecord record = reader.read(run());
    assertThat(record.finished()).isTrue();
    assertThat(record.method()).isEqualTo("fedavg");
    assertThat(record.seed()).isEqualTo("1");
    assertThat(record.peers()).isEqualTo(5);
    assertThat(record.rows(Stage.MIXED)).hasSize(4);
    assertThat(record.evaluations().rounds(Stage.TRAINED)).containsExactly(1, 2, 3, 4);
    assertThat(record.lastByPeer().sequencedKeySet()).containsExactly("0", "1", "2", "3", "4");
    assertThat(record.settings().text("partition.alpha")).isEqualTo("0.1");
    assertThat(record.command()).endsWith("run/config.yaml").startsWith("./kindred run ");
    assertThat(record.notes()).isEmpty();
  }

  @Test
  void whatAPersonalPhaseReachedIsWhatCountsInTheEnd() throws IOException {
    Path folder = run();
    for (int peer = 0; peer < 5; peer++) {
      write(
          folder.resolve("metrics.jsonl"),
          "{\"round\":4,\"peer\":" + peer + ",\"stage\":\"final\",\"accuracy\":0.9" + peer + "}\n",
          StandardOpenOption.APPEND);
    }
    assertThat(reader.read(folder).lastByPeer().values())
        .containsExactly(0.90, 0.91, 0.92, 0.93, 0.94);
  }

  @Test
  void toleratesAnUnfinishedRunWithTornLastLines() throws IOException {
    Path folder = run();
    Files.delete(folder.resolve("summary.json"));
    write(folder.resolve("metrics.jsonl"), "{\"round\":5,\"pe", StandardOpenOption.APPEND);
    write(folder.resolve("rounds.csv"), "5,mixed,0.7", StandardOpenOption.APPEND);
    RunRecord record = reader.read(folder);
    assertThat(record.finished()).isFalse();
    assertThat(record.peers()).isEqualTo(5);
    assertThat(record.lastRound()).isEqualTo(4);
    assertThat(record.notes())
        .containsExactly(
            "metrics.jsonl:41: the last line is incomplete and was skipped",
            "rounds.csv:10: the last line is incomplete and was skipped");
  }

  /**
   * A run that was stopped: each peer has mixed so many rounds, and all are as good as round/10.
   */
  private Path unfinished(String settings, int... lastRounds) throws IOException {
    Path folder = Files.createDirectories(home.resolve("unfinished"));
    write(folder.resolve("config.yaml"), "method: dfedavgm\n" + settings);
    StringBuilder lines = new StringBuilder();
    for (int peer = 0; peer < lastRounds.length; peer++) {
      for (int round = 1; round <= lastRounds[peer]; round++) {
        for (String stage : new String[] {"trained", "mixed"}) {
          lines.append(
              "{\"round\":%d,\"peer\":%d,\"stage\":\"%s\",\"accuracy\":0.%d}%n"
                  .formatted(round, peer, stage, round));
        }
      }
    }
    write(folder.resolve("metrics.jsonl"), lines.toString());
    return folder;
  }

  @Test
  void anUnfinishedRunEndsWithTheLastRoundThatEveryPeerHasReported() throws IOException {
    RunRecord record = reader.read(unfinished("peers: 4\nrounds: 20\n", 5, 6, 9, 5));
    assertThat(record.lastRound()).isEqualTo(5);
    assertThat(record.rows(Stage.MIXED).getLast().mean()).isCloseTo(0.5, within(1e-6));
    assertThat(record.rows(Stage.TRAINED).getLast().round()).isEqualTo(5);
    assertThat(record.lastByPeer()).hasSize(4).containsValue(0.5);
    assertThat(record.progress()).contains(new RunProgress(5, 20, 4, 4));
    assertThat(record.progress().orElseThrow().text()).isEqualTo("round 5/20, 4/4 peers");
  }

  @Test
  void aPeerThatLeftLongAgoDoesNotHoldUpTheReport() throws IOException {
    RunRecord record = reader.read(unfinished("peers: 5\nrounds: 20\n", 7, 2, 8, 7));
    assertThat(record.progress()).contains(new RunProgress(7, 20, 3, 5));
  }

  @Test
  void aRoundIsNotCompleteWhileAPeerHasYetToReportItsFirst() throws IOException {
    RunRecord record = reader.read(unfinished("peers: 4\nrounds: 20\n", 2, 1, 1));
    assertThat(record.progress()).contains(new RunProgress(0, 20, 0, 4));
    assertThat(record.rounds()).isEmpty();
    assertThat(record.lastByPeer()).isEmpty();
  }

  @Test
  void onlyEvaluatedPeersAreWaitedFor() throws IOException {
    RunRecord record =
        reader.read(unfinished("peers: 40\nrounds: 9\nevaluation: {peers: [0, 1]}\n", 3, 4));
    assertThat(record.progress()).contains(new RunProgress(3, 9, 2, 2));
  }

  @Test
  void aPersonalPhaseThatSomePeersHaveCompletedIsLeftOutOfAnUnfinishedRun() throws IOException {
    Path folder = unfinished("peers: 2\nrounds: 4\n", 4, 4);
    write(
        folder.resolve("metrics.jsonl"),
        "{\"round\":4,\"peer\":0,\"stage\":\"final\",\"accuracy\":0.9}\n",
        StandardOpenOption.APPEND);
    assertThat(reader.read(folder).lastByPeer().values()).containsExactly(0.4, 0.4);
  }

  @Test
  void aPeerWithoutTestSamplesHasReportedItsRound() throws IOException {
    Path folder = unfinished("peers: 3\nrounds: 4\n", 1, 1);
    write(
        folder.resolve("metrics.jsonl"),
        "{\"round\":1,\"peer\":2,\"stage\":\"mixed\"}\n",
        StandardOpenOption.APPEND);
    assertThat(reader.read(folder).progress()).contains(new RunProgress(1, 4, 3, 3));
  }

  @Test
  void namesADamagedLineInTheMiddle() throws IOException {
    Path folder = run();
    String good = "{\"round\":1,\"peer\":0,\"stage\":\"mixed\",\"accuracy\":0.5}\n";
    for (String bad :
        new String[] {"{oops}", "[]", good.strip() + "x", good.strip().replace("mixed", "mexed")}) {
      write(folder.resolve("metrics.jsonl"), good + good + bad + "\n" + good);
      assertThatThrownBy(() -> reader.read(folder))
          .isInstanceOf(DamagedRunException.class)
          .hasMessageContaining("metrics.jsonl:3: ");
    }
  }

  @Test
  void namesADamagedRow() throws IOException {
    Path folder = run();
    write(
        folder.resolve("rounds.csv"), "round,stage,mean\n1,mixed,0.5\n2,mixed,half\n3,mixed,0.6\n");
    assertThatThrownBy(() -> reader.read(folder)).hasMessageContaining("rounds.csv:3: ");
  }

  @Test
  void namesADamagedSummary() throws IOException {
    Path folder = run();
    write(folder.resolve("summary.json"), "{\"method\":\n\"a\",,}");
    assertThatThrownBy(() -> reader.read(folder)).hasMessageContaining("summary.json:2: ");
  }

  @Test
  void computesRoundsFromMetricsWhereTheTableIsMissing() throws IOException {
    Path folder = home.resolve("bare");
    Files.createDirectories(folder);
    write(
        folder.resolve("metrics.jsonl"),
        """
        {"round":1,"peer":"a","stage":"mixed","accuracy":0.4,"extra":{"x":[1,{"y":2}]}}
        {"round":1,"peer":"b","stage":"mixed","accuracy":0.8}
        {"round":1,"peer":"b","stage":"mixed","accuracy":0.6}
        {"round":1,"peer":"c","stage":"mixed","accuracy":null}
        """);
    RoundRow row = reader.read(folder).rounds().getFirst();
    assertThat(row.mean()).as("what b said first").isCloseTo(0.6, within(1e-9));
    assertThat(row.worst()).isEqualTo(0.4);
    assertThat(row.modelBytes()).isNaN();
  }

  @Test
  void refusesAFolderThatIsNoRun() {
    assertThatThrownBy(() -> reader.read(home)).hasMessageContaining("is not a run folder");
  }
}
