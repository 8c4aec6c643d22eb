package io.kindred.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.report.run.RunReader;
import io.kindred.report.run.RunRecord;
import io.kindred.report.run.SimilarityTable;
import io.kindred.report.table.Column;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HtmlReportTest {
  @TempDir private Path home;

  private List<RunRecord> runs() throws IOException {
    Path local = new SyntheticRun("local", 1, 8, 5, 0.5, 0.9, 0).write(home.resolve("local"));
    Path other = new SyntheticRun("fedavg", 1, 8, 5, 0.8, 0.9, 5000).write(home.resolve("fedavg"));
    return new RunReader().readAll(List.of(local, other));
  }

  @Test
  void showsTheNumbersOfTheRuns() throws IOException {
    List<RunRecord> runs = runs();
    String page = new HtmlReport("Two methods", runs).render();
    Column percent = Column.percent("", Column.Best.NONE);
    for (RunRecord run : runs) {
      assertThat(page).contains(percent.print(run.summary().number("accuracy.local.mean")));
      assertThat(page).contains(run.command());
    }
    assertThat(page)
        .contains("<h1>Two methods</h1>", "fedavg has the highest mean accuracy")
        .contains("8 of its 8 peers gain and 0 lose", "fedavg 0.03\u00a0MB")
        .contains("id=\"accuracy-over-rounds\"", "id=\"accuracy-per-peer\"")
        .contains("id=\"gain-against-local\"", "id=\"accuracy-over-bytes\"")
        .contains("id=\"time-breakdown\"", "<summary>Configuration</summary>");
  }

  @Test
  void saysWhichSamplesModelsWereTriedOnAndRanksOnlyTheSame() throws IOException {
    Path tested = new SyntheticRun("fedavg", 1, 3, 2, 0.5, 1, 9).write(home.resolve("tested"));
    Path trained = new SyntheticRun("dfca", 1, 3, 2, 0.6, 1, 9).write(home.resolve("trained"));
    Files.writeString(
        trained.resolve("config.yaml"), "\nevaluation: {on: train}\n", StandardOpenOption.APPEND);
    String one = new HtmlReport("One", List.of(new RunReader().read(trained))).render();
    assertThat(one)
        .contains("on own training samples", "Own training samples of each peer, after")
        .contains("accuracy on training samples, mean over peers");
    String both =
        new HtmlReport("Both", new RunReader().readAll(List.of(tested, trained))).render();
    assertThat(both)
        .contains("on own test or training samples")
        .doesNotContain("has the highest mean accuracy");
  }

  /** Peers 0 and 2 form one cluster and are most similar; the page puts them side by side. */
  @Test
  void showsRunsFromInsideWhereTheirFoldersSayIt() throws IOException {
    Path folder = new SyntheticRun("local", 1, 3, 2, 0.5, 1, 0).write(home.resolve("inside"));
    Files.writeString(
        folder.resolve("partition.csv"),
        "peer,samples,0,1,cluster 0\n0,7,7,0,7\n1,9,0,9,9\n2,4,2,2,4\n");
    Files.writeString(
        folder.resolve("similarity.csv"),
        "peer,planted,0,1,2\n0,0,1,0.25,0.75\n1,1,0.25,1,0.5\n2,0,0.75,0.5,1\n");
    Files.writeString(
        folder.resolve("hierarchy.json"),
        """
        {"top":[{"level":1,"zone":2,"cluster":0,"peers":3,"heldBy":[2,0],"below":[],
                 "members":[0,1,2]}]}
        """);
    RunRecord run = new RunReader().read(folder);
    SimilarityTable similarityTable = run.artifacts().similarity().orElseThrow();
    assertThat(similarityTable.order()).containsExactly(0, 2, 1);
    assertThat(similarityTable.panel("local").groups()).containsExactly(2, 1);
    assertThat(similarityTable.panel("local").values().getFirst()).containsExactly(1, 0.75, 0.25);
    String page = new HtmlReport("Inside", List.of(run)).render();
    assertThat(page)
        .contains("id=\"partition\"", "more samples, up to 9 (the shade")
        .contains("id=\"similarity\"", "the clusters that the partition planted")
        .contains(
            "id=\"overlay\"", "cluster 0 of the zone of peer 2: 3 peers, held by peer 2, peer 0");
  }

  @Test
  void damageInsideIsNamedWithItsLine() throws IOException {
    Path folder = new SyntheticRun("local", 1, 3, 2, 0.5, 1, 0).write(home.resolve("inside"));
    Files.writeString(folder.resolve("partition.csv"), "peer,samples,0\n0,7,many\n");
    assertThatThrownBy(() -> new RunReader().read(folder))
        .hasMessageContaining("partition.csv:2")
        .hasMessageContaining("expected a number, but found 'many'");
  }

  @Test
  void needsNothingFromOutside() throws IOException {
    String page = new HtmlReport("Alone", runs()).render();
    assertThat(page).doesNotContain("<script", "<link", "src=", "url(", "@import", "href=");
    assertThat(page).isEqualTo(new HtmlReport("Alone", runs()).render());
  }

  @Test
  void escapesWhateverRunsContain() throws IOException {
    Path folder = new SyntheticRun("local", 1, 3, 2, 0.5, 1, 0).write(home.resolve("odd"));
    Files.writeString(
        folder.resolve("config.yaml"), "method: \"<script>x</script>\"\n", StandardCharsets.UTF_8);
    Files.delete(folder.resolve("summary.json"));
    RunRecord run = new RunReader().read(folder);
    String page = new HtmlReport("<b>bold</b>", List.of(run)).render();
    assertThat(page)
        .doesNotContain("<script>", "<b>bold")
        .contains("&lt;script&gt;x&lt;/script&gt;", "<h1>&lt;b&gt;bold&lt;/b&gt;</h1>")
        .contains("unfinished");
  }

  @Test
  void saysSoWhereThereIsNothingYet() throws IOException {
    Path folder = Files.createDirectories(home.resolve("fresh"));
    Files.writeString(folder.resolve("config.yaml"), "method: local\n", StandardCharsets.UTF_8);
    String page = new HtmlReport("Fresh", List.of(new RunReader().read(folder))).render();
    assertThat(page).contains("No accuracy has been recorded yet.").doesNotContain("<figure>");
  }

  @Test
  void writesPlotsAsSeparateFiles() throws IOException {
    List<Path> files = PlotFiles.write(home.resolve("plots"), runs());
    assertThat(files.stream().map(file -> file.getFileName().toString()))
        .containsExactly(
            "accuracy-over-rounds.svg",
            "accuracy-per-peer.svg",
            "gain-against-local.svg",
            "accuracy-over-bytes.svg",
            "bytes-per-round.svg",
            "time-breakdown.svg");
    assertThat(home.resolve("plots/accuracy-per-peer.svg")).content().startsWith("<svg xmlns");
  }

  /** Twice the size in user units, white in the corners, and in the colours of the methods. */
  @Test
  void picturesLookLikeTheirDrawings() throws IOException {
    PlotFiles.write(home.resolve("plots"), runs());
    List<Path> files = PlotFiles.writePngs(home.resolve("plots"));
    assertThat(files).hasSize(6);
    BufferedImage image = ImageIO.read(home.resolve("plots/accuracy-over-rounds.png").toFile());
    assertThat(image.getWidth()).isEqualTo(1520);
    assertThat(image.getHeight()).isEqualTo(760);
    assertThat(image.getRGB(0, 0)).isEqualTo(0xFFFFFFFF);
    assertThat(image.getRGB(1519, 759)).isEqualTo(0xFFFFFFFF);
    int blue = 0;
    for (int x = 0; x < image.getWidth(); x++) {
      for (int y = 0; y < image.getHeight(); y++) {
        blue += image.getRGB(x, y) == 0xFF0072B2 ? 1 : 0;
      }
    }
    assertThat(blue).isBetween(1000, 100_000);
  }
}
