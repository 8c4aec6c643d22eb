package io.kindred.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.report.run.RunReader;
import io.kindred.report.run.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PullFiguresTest {
  @TempDir private Path home;

  /** Even peers are in group 0, odd ones in group 1; each pulls from the next two peers. */
  private RunRecord run(int peers, boolean chosen) throws IOException {
    return run("kin", peers, chosen);
  }

  private RunRecord run(String method, int peers, boolean chosen) throws IOException {
    Path folder =
        new SyntheticRun(method, 1, Math.min(peers, 8), 2, 0.8, 0.9, 5).write(home.resolve(method));
    String entries =
        IntStream.range(0, peers)
            .mapToObj(
                peer ->
                    """
                    {"peer": %d, "group": %d, "round": 2, "rounds": 2, %s "purity": 0.25,
                     "pulled": [{"peer": %d, "weight": 0.75}, {"peer": %d, "weight": 0.25}],
                     "sentence": "learned most from <%d>"}
                    """
                        .formatted(
                            peer,
                            peer % 2,
                            chosen
                                ? "\"choice\": \"" + (peer == 0 ? "alone" : "shared") + "\","
                                : "",
                            (peer + 1) % peers,
                            (peer + 2) % peers,
                            (peer + 1) % peers))
            .collect(Collectors.joining(","));
    Files.writeString(
        folder.resolve("explanations.json"),
        "{\"groups\": \"planted\", \"peers\": [" + entries + "]}");
    return new RunReader().read(folder);
  }

  private static Figure figure(RunRecord run) {
    List<Figure> figures = new PullFigures(Comparison.of(List.of(run)).methods(), false).all();
    assertThat(figures).hasSize(1);
    return figures.getFirst();
  }

  private static int count(String text, String part) {
    return text.split(part, -1).length - 1;
  }

  /** Peer i pulls from i + 1 in the other group and from i + 2 in its own: one line each. */
  @Test
  void fewPeersAreNodesAndEachPullIsALine() throws IOException {
    Figure figure = figure(run(8, true));
    assertThat(count(figure.svg(), "fill=\"none\"")).isEqualTo(16);
    assertThat(count(figure.svg(), "k-line k-c7\"")).isEqualTo(8);
    assertThat(figure.svg()).contains("group 0: 25 % inside", "group 1: 25 % inside");
    assertThat(figure.svg()).contains(">alone</text>", ">shared</text>");
    assertThat(figure.caption()).contains("over the last 2 evaluated rounds", "planted");
  }

  @Test
  void morePeersAreAMatrix() throws IOException {
    Figure figure = figure(run(PullFigures.MOST_NODES + 1, false));
    assertThat(figure.svg())
        .contains("weight of the pulled models")
        .doesNotContain("fill=\"none\"");
    assertThat(figure.caption()).startsWith("Rows are peers that pull");
  }

  /** Three quarters of the weight of a group come from the other group. */
  @Test
  void hundredsOfPeersAreAddedUpByGroup() throws IOException {
    Figure figure = figure(run(PullFigures.MOST_ROWS + 2, false));
    assertThat(figure.caption()).contains("302 peers, too many to draw one by one");
    assertThat(count(figure.svg(), "k-fill k-c0")).isEqualTo(4);
    assertThat(count(figure.svg(), "fill-opacity=\"1\"")).isEqualTo(2);
  }

  @Test
  void figuresOfSeveralMethodsAreNamedAfterTheirMethods() throws IOException {
    List<RunRecord> runs = List.of(run("dfedavgm", 8, false), run("kin", 8, true));
    assertThat(new PullFigures(Comparison.of(runs).methods(), false).all())
        .extracting(Figure::name)
        .containsExactlyInAnyOrder("who-pulled-whom-dfedavgm", "who-pulled-whom-kin");
  }

  @Test
  void thePageSaysWhatEachPeerDeploysAndWhy() throws IOException {
    String page = new HtmlReport("One", List.of(run(8, true))).render();
    assertThat(page)
        .contains("<h2>What peers deploy and why</h2>", "id=\"who-pulled-whom\"")
        .contains(
            "7 of 8 deploy their shared model, 1 of 8 deploy the model that they trained alone.")
        .contains("<td>learned most from &lt;1&gt;</td>");
  }

  @Test
  void aRunWithoutExplanationsHasNoSuchPart() throws IOException {
    Path folder = new SyntheticRun("local", 1, 3, 2, 0.8, 0.9, 5).write(home.resolve("run"));
    assertThat(new HtmlReport("One", List.of(new RunReader().read(folder))).render())
        .doesNotContain("What peers deploy", "who-pulled-whom");
  }
}
