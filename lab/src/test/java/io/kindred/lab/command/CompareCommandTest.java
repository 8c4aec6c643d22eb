package io.kindred.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.files.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class CompareCommandTest {
  @TempDir private Path home;

  private Said compare(String methods, String... more) throws IOException {
    String file = SmallFile.in(home).toString();
    String[] all = new String[6 + more.length];
    System.arraycopy(
        new String[] {"compare", file, "--methods", methods, "--out", home.resolve("out") + ""},
        0,
        all,
        0,
        6);
    System.arraycopy(more, 0, all, 6, more.length);
    return Said.by(all);
  }

  @Test
  void everyMethodMeetsEverySeed() throws IOException {
    Said said = compare("local,{name: dfedavgm, momentum: 0.5}", "--seeds", "1,2", "--json");

    assertThat(said.exitCode()).as(said.err()).isZero();
    assertThat(Json.tree(said.out()).valueStream().map(CompareCommandTest::name))
        .containsExactly("local 1", "local 2", "dfedavgm 1", "dfedavgm 2");
  }

  private static String name(JsonNode summary) {
    return summary.get("method").asString() + " " + summary.get("seed").asInt();
  }

  @Test
  void whatIsFinishedIsNotRunAgain() throws IOException {
    compare("local");
    Said said = compare("local,fedavg");

    assertThat(said.err()).contains("[2/2] fedavg  done").doesNotContain("local");
    assertThat(said.out()).contains("local").contains("fedavg");
  }

  @Test
  void aMethodThatDoesNotExistIsNamedInOneLine() throws IOException {
    Said said = compare("local,fedavgg");

    assertThat(said.exitCode()).isEqualTo(ExitCode.WRONG_USE);
    assertThat(said.err().lines())
        .singleElement()
        .satisfies(line -> assertThat(line).contains("fedavgg").contains("did you mean 'fedavg'?"));
  }

  @Test
  void aSenselessNumberAtOnceIsRefused() throws IOException {
    Said said = compare("local", "--at-once", "-2");

    assertThat(said.exitCode()).isEqualTo(ExitCode.WRONG_USE);
    assertThat(said.err()).contains("--at-once must be a whole number of at least 1");
  }
}
