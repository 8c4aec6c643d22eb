package io.kindred.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
}
