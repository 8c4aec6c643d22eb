package io.kindred.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.methods.catalogue.Methods;
import io.kindred.methods.discovery.PeerDiscoveries;
import io.kindred.runtime.command.ExitCode;
import io.kindred.storage.json.Json;
import org.junit.jupiter.api.Test;

class ExplainCommandTest {
  @Test
  void everyMethodIsExplainedInThreeToTenLines() {
    for (String method : Methods.ALL.names()) {
      CommandResult commandResult = CommandResult.run("explain", method, "--json");
      assertThat(commandResult.exitCode()).as(method).isZero();
      String text = Json.tree(commandResult.out()).get("text").asString();
      assertThat(text.lines()).as(method).hasSizeBetween(3, 10);
      assertThat(text.lines()).as(method).allMatch(line -> line.length() <= 100);
    }
  }

  @Test
  void parametersStandBelow() {
    assertThat(CommandResult.run("explain", "dfca").out())
        .startsWith("dfca  -  ")
        .contains("Parameters:\n    clusters ")
        .contains("--set method=dfca");
    assertThat(CommandResult.run("explain", "local").out()).contains("It has no parameters.");
  }

  @Test
  void choicesOfASettingStandBelowTheParameters() {
    String out = CommandResult.run("explain", "semantic-dfl").out();
    for (String each : PeerDiscoveries.ALL.names()) {
      assertThat(out).contains("\n    " + each + " ");
    }
    assertThat(CommandResult.run("explain", "dfca").out()).doesNotContain("discoveries");
  }

  @Test
  void aNameThatIsNearlyRightIsGuessed() {
    CommandResult commandResult = CommandResult.run("explain", "dfac");
    assertThat(commandResult.exitCode()).isEqualTo(ExitCode.WRONG_USE);
    assertThat(commandResult.err()).contains("there is no method 'dfac'; did you mean 'dfca'?");
  }
}
