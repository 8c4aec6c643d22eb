package io.kindred.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.report.run.RunReader;
import io.kindred.report.run.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Classes are shown by the names that a run folder gives them. */
class ClassNamesTest {
  @TempDir private Path home;
  private Path folder;

  @BeforeEach
  void writeRun() throws IOException {
    folder = new SyntheticRun("local", 1, 3, 2, 0.5, 1, 0).write(home.resolve("birds"));
    Files.writeString(
        folder.resolve("data.json"), "{\"task\":{\"classes\":[\"owl\",\"7\",\"a, b\"]}}");
    Files.writeString(
        folder.resolve("partition.csv"),
        "peer,samples,owl,7,\"a, b\",cluster 0\n0,7,7,0,0,7\n1,9,0,8,1,9\n");
    Files.writeString(
        folder.resolve("confusion.csv"),
        "peer,class,predicted,samples\n0,owl,owl,5\n1,owl,\"a, b\",2\n1,owl,owl,1\n1,7,owl,3\n");
  }

  private RunRecord read() throws IOException {
    return new RunReader().read(folder);
  }

  @Test
  void partitionsAndConfusionsHaveThem() throws IOException {
    RunRecord run = read();
    assertThat(run.artifacts().labelCounts().orElseThrow().classes())
        .containsExactly("owl", "7", "a, b");
    assertThat(run.artifacts().confusions().orElseThrow().samples())
        .containsExactly(new long[] {6, 0, 2}, new long[] {3, 0, 0}, new long[3]);
    String page = new HtmlReport("Birds", List.of(run)).render();
    assertThat(page)
        .contains("Which class is taken for which", "owl taken for a, b: 2")
        .contains("local takes most often 7 for owl (3), owl for a, b (2).")
        .contains("Classes of each peer");
  }

  @Test
  void aRunWithoutNamesHasNumbers() throws IOException {
    Files.delete(folder.resolve("data.json"));
    Files.writeString(folder.resolve("partition.csv"), "peer,samples,0,1,cluster 0\n0,7,7,0,7\n");
    Files.writeString(
        folder.resolve("confusion.csv"), "peer,class,predicted,samples\n0,10,2,5\n0,2,2,1\n");
    RunRecord run = read();
    assertThat(run.artifacts().labelCounts().orElseThrow().classes()).containsExactly("0", "1");
    assertThat(run.artifacts().confusions().orElseThrow().classes()).containsExactly("2", "10");
  }

  @Test
  void anUnknownClassIsDamageWithItsLine() throws IOException {
    Files.writeString(
        folder.resolve("confusion.csv"), "peer,class,predicted,samples\n0,owl,fox,5\n");
    assertThatThrownBy(this::read)
        .hasMessageContaining("confusion.csv:2")
        .hasMessageContaining("'fox' is not a class of data.json");
  }

  @Test
  void peersAreGroupedByTheNameOfTheirLabel() throws IOException {
    Files.writeString(
        folder.resolve("explanations.json"),
        "{\"groups\":\"label\",\"peers\":[{\"peer\":0,\"group\":0,\"rounds\":1,"
            + "\"pulled\":[{\"peer\":1,\"weight\":0.5}],\"sentence\":\"x\"},"
            + "{\"peer\":1,\"group\":2,\"rounds\":1,\"pulled\":[],\"sentence\":\"y\"}]}");
    assertThat(read().artifacts().explanations().orElseThrow().groupName(2))
        .isEqualTo("label a, b");
    assertThat(new HtmlReport("Birds", List.of(read())).render()).contains("label\u00a0owl");
  }

  @Test
  void aRegressionIsRankedByItsErrorAndHasNoAccuracy() throws IOException {
    for (String method : List.of("local", "fedavg")) {
      Path run = new SyntheticRun(method, 1, 3, 2, 0.5, 1, 0).write(home.resolve(method));
      replace(run.resolve("metrics.jsonl"), "\"accuracy\":[0-9.]+,", "");
      replace(run.resolve("rounds.csv"), "(?m)^(\\d+,\\w+)(,[0-9.]+){5},", "$1,,,,,,");
      String errors = "{\"mae\":" + (method.equals("local") ? 51.25 : 38.5) + "}";
      replace(
          run.resolve("summary.json"),
          "\"accuracy\":.*",
          "\"accuracy\":{\"local\":{}},\"extra\":" + errors + ",");
    }
    List<RunRecord> runs =
        List.of(
            new RunReader().read(home.resolve("local")),
            new RunReader().read(home.resolve("fedavg")));
    assertThat(new HtmlReport("Prices", runs).render())
        .contains("fedavg has the lowest mean absolute error, 38.50; next is local with 51.25.");
    assertThat(Comparison.of(runs).table().text(400)).contains("MAE").doesNotContain("accuracy");
  }

  private static void replace(Path file, String pattern, String by) throws IOException {
    Files.writeString(file, Files.readString(file).replaceAll(pattern, by));
  }

  @Test
  void measuresOfPeersAndOfAllSamplesAreSideBySide() throws IOException {
    Path summary = folder.resolve("summary.json");
    String text = Files.readString(summary).strip();
    Files.writeString(
        summary,
        text.substring(0, text.length() - 1)
            + ",\"extra\":{\"balancedAccuracy\":0.61,\"macroF1\":0.58,\"auc\":0.9},"
            + "\"overall\":{\"accuracy\":0.7,\"balancedAccuracy\":0.65,\"macroF1\":0.6}}");
    RunRecord run = read();
    assertThat(Comparison.of(List.of(run)).table().text(400))
        .contains("balanced %", "macro F1 %", "AUC %", "61.0", "58.0", "90.0");
    assertThat(new HtmlReport("Birds", List.of(run)).render())
        .contains("<h2>Measures</h2>", "all: balanced\u00a0%", "65.0", "all: accuracy\u00a0%");
  }
}
