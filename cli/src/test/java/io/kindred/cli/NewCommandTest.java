package io.kindred.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.runtime.command.ExitCode;
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
    assertThat(CommandResult.run("new", folder.toString()).exitCode()).isZero();

    String file = folder.resolve("experiment.yaml").toString();
    CommandResult commandResult =
        CommandResult.run(
            "run", file, "--profile", "quick", "--out", home.resolve("out").toString());
    assertThat(commandResult.exitCode()).as(commandResult.err()).isZero();
    assertThat(commandResult.out()).contains("local", "kin");
  }

  @Test
  void aTableOfOnesOwnRunsOnceItIsNamed() throws IOException {
    CommandResult.run("new", home.toString());
    Path data = Files.createDirectories(home.resolve("my-data"));
    StringBuilder table = new StringBuilder("length,width,species\n");
    for (int i = 0; i < 120; i++) {
      table.append(i % 7).append(',').append(i % 5).append(',');
      table.append(i % 2 == 0 ? "owl" : "wren").append('\n');
    }
    Files.writeString(data.resolve("table.csv"), table);

    CommandResult commandResult =
        CommandResult.run(
            "run",
            home.resolve("own-data.yaml").toString(),
            "--set",
            "dataset.folder=" + data,
            "--set",
            "rounds=1",
            "--out",
            home.resolve("out").toString());
    assertThat(commandResult.exitCode()).as(commandResult.err()).isZero();
  }

  @Test
  void whatIsThereIsNeverOverwritten() throws IOException {
    Files.writeString(home.resolve("own-data.yaml"), "mine");
    CommandResult commandResult = CommandResult.run("new", home.toString());

    assertThat(commandResult.exitCode()).isEqualTo(ExitCode.WRONG_USE);
    assertThat(commandResult.err()).contains("own-data.yaml already exists; name another folder");
    assertThat(home.resolve("own-data.yaml")).hasContent("mine");
    assertThat(home.resolve("experiment.yaml")).doesNotExist();
  }
}
