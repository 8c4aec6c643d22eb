package io.kindred.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.runtime.command.ExitCode;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class NodeCommandTest {
  @TempDir private Path home;

  private String path(String name) {
    return home.resolve(name).toString();
  }

  private CommandResult issue(String network, String peer) {
    return CommandResult.run(
        "node",
        "cert",
        "issue",
        path("id"),
        "--authority",
        path("ca"),
        "--network",
        network,
        "--peer",
        peer);
  }

  @Test
  void keysAreMadeSignedAndShown() {
    assertThat(CommandResult.run("node", "cert", "ca", path("ca")).exitCode()).isZero();
    assertThat(CommandResult.run("node", "init", path("id")).exitCode()).isZero();
    assertThat(issue("four", "2").out())
        .isEqualTo("signed: peer 2 of network four" + System.lineSeparator());
    CommandResult shown = CommandResult.run("node", "cert", "show", path("id"), "--json");
    assertThat(shown.exitCode()).isZero();
    assertThat(Json.tree(shown.out()).get("member").asString()).isEqualTo("peer 2 of network four");
    assertThat(Json.tree(shown.out()).get("subject").asString())
        .isEqualTo("CN=peer-2.four.kindred");
  }

  @Test
  void aNetworkThatCannotBeInAHostNameIsRefused() {
    CommandResult.run("node", "cert", "ca", path("ca"));
    CommandResult.run("node", "init", path("id"));
    CommandResult commandResult = issue("My.Net", "0");
    assertThat(commandResult.exitCode()).isEqualTo(ExitCode.WRONG_USE);
    assertThat(commandResult.err()).contains("'My.Net'").contains("lower-case");
  }

  @Test
  void aStatusThatWasNeverWrittenIsToldWithItsRemedy() throws IOException {
    Path file =
        Files.writeString(
            home.resolve("node.yaml"), "experiment: x.yaml\npeer: 0\nneighbours: {}\n");
    CommandResult commandResult = CommandResult.run("node", "status", "--config", file.toString());
    assertThat(commandResult.exitCode()).isEqualTo(ExitCode.WRONG_USE);
    assertThat(commandResult.err()).contains("status.json").contains("kindred node start");
  }

  @Test
  void aStatusIsToldInWords() throws IOException {
    Path file =
        Files.writeString(
            home.resolve("node.yaml"), "experiment: x.yaml\npeer: 0\nneighbours: {}\n");
    Files.createDirectories(home.resolve("run"));
    Files.writeString(
        home.resolve("run/status.json"),
        """
        {"network":"four","peer":0,"process":999999999,"port":7400,"state":"DONE","rounds":20,
         "secondsUp":12.34,"restored":false,"waiting":0,"framedBytes":5,"refused":{"wrong-network":3},
         "totals":{"round":20,"sentControl":7,"sentModel":8,"receivedControl":9,"receivedModel":10,
         "failedSends":1},"heard":{"1":{"messages":3,"models":2,"secondsAgo":4.2},
         "2":{"messages":1,"models":0}},"unwritten":{"state":5},
         "certificateUntil":"2099-01-01T00:00:00Z"}
        """);
    assertThat(CommandResult.run("node", "status", "--config", file.toString()).out())
        .contains("peer 0 of network four: done, round 20 of 20")
        .contains("process 999999999 (not running), port 7400, up 12.3 s")
        .contains("sent 8 bytes of models and 7 of messages, 1 did not arrive")
        .contains("refused {\"wrong-network\":3}")
        .contains("last messages from peer 1 (4 s ago), peer 2 (before the last restart)")
        .contains("could not write {\"state\":5}")
        .contains("certificate valid until 2099-01-01T00:00:00Z");
  }

  private CommandResult cert(String verb, String... rest) {
    List<String> words = new ArrayList<>(List.of("node", "cert", verb, path("id")));
    words.addAll(List.of(rest));
    return CommandResult.run(words.toArray(String[]::new));
  }

  @Test
  void aCertificateIsRenewedForAsManyDaysAsOneLikes() {
    CommandResult.run("node", "cert", "ca", path("ca"));
    CommandResult.run("node", "init", path("id"));
    issue("four", "2");
    String before = Json.tree(cert("show", "--json").out()).get("serial").asString();
    assertThat(cert("renew", "--authority", path("ca"), "--days", "10").out())
        .startsWith("renewed until 2");
    JsonNode shown = Json.tree(cert("show", "--json").out());
    assertThat(shown.get("serial").asString()).isNotEqualTo(before);
    assertThat(shown.get("daysLeft").asLong()).isBetween(9L, 10L);
    assertThat(shown.get("state").asString()).isEqualTo("valid");
    assertThat(shown.has("revoked")).isFalse();
  }

  @Test
  void aRevokedCertificateIsShownAsRevokedAndNotRenewed() {
    CommandResult.run("node", "cert", "ca", path("ca"));
    CommandResult.run("node", "init", path("id"));
    issue("four", "2");
    assertThat(cert("revoke", "--authority", path("ca"), "--copy-to", path("id")).out())
        .contains("is revoked; copy")
        .contains("revoked.crl");
    assertThat(cert("show").out()).contains(": revoked, ").contains("revoked  since 2");
    CommandResult renewed = cert("renew", "--authority", path("ca"));
    assertThat(renewed.exitCode()).isEqualTo(ExitCode.WRONG_USE);
    assertThat(renewed.err()).contains("was revoked at").contains("kindred node init");
  }

  @Test
  void aRequestForHalfAPlaceIsRefused() {
    CommandResult commandResult =
        CommandResult.run("node", "init", path("id"), "--network", "four");
    assertThat(commandResult.exitCode()).isEqualTo(ExitCode.WRONG_USE);
    assertThat(commandResult.err()).contains("--network and --peer");
  }
}
