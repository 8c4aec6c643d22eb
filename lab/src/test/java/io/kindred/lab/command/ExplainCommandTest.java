package io.kindred.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.files.json.Json;
import io.kindred.methods.catalogue.Methods;
import org.junit.jupiter.api.Test;

class ExplainCommandTest {
  @Test
  void everyMethodIsExplainedInThreeToTenLines() {
    for (String method : Methods.ALL.names()) {
      Said said = Said.by("explain", method, "--json");
      assertThat(said.exitCode()).as(method).isZero();
      String text = Json.tree(said.out()).get("text").asString();
      assertThat(text.lines()).as(method).hasSizeBetween(3, 10);
      assertThat(text.lines()).as(method).allMatch(line -> line.length() <= 100);
    }
  }

  @Test
  void parametersStandBelow() {
    assertThat(Said.by("explain", "dfca").out())
        .startsWith("dfca  -  ")
        .contains("Parameters:\n    clusters ")
        .contains("--set method=dfca");
    assertThat(Said.by("explain", "local").out()).contains("It has no parameters.");
  }

  @Test
  void aNameThatIsNearlyRightIsGuessed() {
    Said said = Said.by("explain", "dfac");
    assertThat(said.exitCode()).isEqualTo(ExitCode.WRONG_USE);
    assertThat(said.err()).contains("there is no method 'dfac'; did you mean 'dfca'?");
  }
}
