package io.kindred.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewCommandTest {
  @TempDir private Path home;

  @Test
  void whatIsWrittenRunsAsItIs() {
    Path folder = home.resolve("deep").resolve("mine");
    assertThat(Said.by("new", folder.toString()).exitCode()).isZero();

    String file = folder.resolve("experiment.yaml").toString();
    Said said = Said.by("run", file, "--profile", "quick", "--out", home.resolve("out").toString());
    assertThat(said.exitCode()).as(said.err()).isZero();
    assertThat(said.out()).contains("dfedavgm");
  }

  @Test
  void aTableOfOnesOwnRunsOnceItIsNamed() throws IOException {
    Said.by("new", home.toString());
    Path data = Files.createDirectories(home.resolve("my-data"));
    StringBuilder table = new StringBuilder("length,width,species\n");
    for (int i = 0; i < 120; i++) {
      table.append(i % 7).append(',').append(i % 5).append(',');
      table.append(i % 2 == 0 ? "owl" : "wren").append('\n');
    }
    Files.writeString(data.resolve("table.csv"), table);

    Said said =
        Said.by(
            "run",
            home.resolve("own-data.yaml").toString(),
            "--set",
            "dataset.folder=" + data,
            "--set",
            "rounds=1",
            "--out",
            home.resolve("out").toString());
    assertThat(said.exitCode()).as(said.err()).isZero();
  }

  @Test
  void whatIsThereIsNeverOverwritten() throws IOException {
    Files.writeString(home.resolve("own-data.yaml"), "mine");
    Said said = Said.by("new", home.toString());

    assertThat(said.exitCode()).isEqualTo(ExitCode.WRONG_USE);
    assertThat(said.err()).contains("own-data.yaml is there already; name another folder");
    assertThat(home.resolve("own-data.yaml")).hasContent("mine");
    assertThat(home.resolve("experiment.yaml")).doesNotExist();
  }
}
