package io.kindred.cli.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.cli.CommandResult;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RadioCommandTest {
  @TempDir private Path home;

  private CommandResult runRadio(String verb, String... more) {
    String[] words = new String[more.length + 4];
    words[0] = "radio";
    words[1] = verb;
    words[2] = "--out";
    words[3] = home.toString();
    System.arraycopy(more, 0, words, 4, more.length);
    return CommandResult.run(words);
  }

  @Test
  void aMapNamesTheNeighboursOfATargetAndItsCostliestInterferers() throws IOException {
    CommandResult commandResult =
        runRadio("map", "--set", "network.links.epsilon=0.3", "--target", "2");
    assertThat(commandResult.exitCode()).as(commandResult.err()).isZero();
    assertThat(commandResult.out()).contains("target 2 selects").contains("costliest interferers:");
    List<String> rows = Files.readAllLines(home.resolve("map.csv"));
    assertThat(rows).hasSize(11);
    assertThat(rows.getFirst()).startsWith("peer,x,y,metres,error");
    assertThat(Files.readAllLines(home.resolve("positions.csv"))).hasSize(12);
    List<String> links = Files.readAllLines(home.resolve("links.csv"));
    assertThat(links).hasSize(1 + 11 * 10);
    assertThat(links.getFirst())
        .isEqualTo("from,to,metres,sight,gainDb,bytesPerSecond,error,selected");
    String svg = Files.readString(home.resolve("map.svg"));
    assertThat(svg).contains("Peer 2 selects").contains("<title>the target</title>");
  }

  @Test
  void thePaperAsPrintedSelectsMoreThanTheMechanismWould() {
    long printed = 0;
    long exact = 0;
    for (String seed : List.of("1", "2", "3", "4", "5")) {
      exact += selected(runRadio("map", "--json", "--seed", seed));
      printed +=
          selected(
              runRadio(
                  "map",
                  "--json",
                  "--seed",
                  seed,
                  "--set",
                  "network.links.channel.moments=printed",
                  "--set",
                  "network.links.channel.error=joint",
                  "--set",
                  "network.links.channel.silence=false",
                  "--set",
                  "network.links.channel.interference=log-normal"));
    }
    assertThat(printed).isGreaterThan(exact + 3);
  }

  private static long selected(CommandResult commandResult) {
    assertThat(commandResult.exitCode()).as(commandResult.err()).isZero();
    long count = 0;
    for (var each : Json.tree(commandResult.out()).get("selection").get("candidates")) {
      count += each.get("selected").asBoolean() ? 1 : 0;
    }
    return count;
  }

  @Test
  void selectionIsDrawnAndTabulated() throws IOException {
    CommandResult commandResult = runRadio("selection", "--iterations", "2");
    assertThat(commandResult.exitCode()).as(commandResult.err()).isZero();
    for (String name : List.of("threshold-5", "threshold-15", "by-tolerance", "by-threshold")) {
      assertThat(home.resolve("selected-" + name + ".svg")).exists();
      assertThat(Files.readAllLines(home.resolve("selected-" + name + ".csv")))
          .hasSizeGreaterThan(5);
    }
  }

  @Test
  void aCheckComparesEveryVariant() throws IOException {
    CommandResult commandResult = runRadio("check", "--placements", "2", "--blocks", "500");
    assertThat(commandResult.exitCode()).as(commandResult.err()).isZero();
    assertThat(commandResult.out())
        .contains("given-transmission")
        .contains("printed")
        .contains("60 pairs");
    // Three kinds of moments, two kinds of errors, silence separate or not, the sample, and the
    // header.
    assertThat(Files.readAllLines(home.resolve("check.csv"))).hasSize(14);
  }

  @Test
  void aCheckOfSeveralNumbersOfPeersHasTheBaseRateOfSelectingNobody() throws IOException {
    CommandResult commandResult =
        runRadio(
            "check",
            "--peers",
            "5,2",
            "--placements",
            "2",
            "--blocks",
            "2000",
            "--set",
            "network.links.epsilon=0.1");
    assertThat(commandResult.exitCode()).as(commandResult.err()).isZero();
    List<String> rows = Files.readAllLines(home.resolve("check-peers.csv"));
    assertThat(rows).hasSize(3);
    assertThat(rows.getFirst()).endsWith("selecting nobody %");
    // Alone with the target, a sender fails never, so that everyone is selected by everything.
    assertThat(rows.get(1)).isEqualTo("2,0,0,100,0,0,100,0");
    String[] five = rows.get(2).split(",", -1);
    assertThat(Double.parseDouble(five[1])).isLessThan(0.02);
    assertThat(Double.parseDouble(five[4])).isGreaterThan(Double.parseDouble(five[1]));
    assertThat(Double.parseDouble(five[7])).isBetween(50.0, 99.9);
    assertThat(runRadio("check", "--peers", "1").err()).contains("choose at least 2");
  }

  @Test
  void anExportOfTheMapCanBeReadAgainAsPositionsAndAsGains() throws IOException {
    assertThat(runRadio("map", "--set", "peers=5").exitCode()).isZero();
    List<String> links = Files.readAllLines(home.resolve("links.csv"));
    Path positions = Files.move(home.resolve("positions.csv"), home.resolve("walked.csv"));
    Path gains = Files.move(home.resolve("links.csv"), home.resolve("gains.csv"));
    for (String file :
        List.of(
            "mobility={name: trace, path: " + positions, "gains={name: trace, path: " + gains)) {
      CommandResult again =
          runRadio(
              "map", "--seed", "9", "--set", "peers=5", "--set", "network.links." + file + "}");
      assertThat(again.exitCode()).as(again.err()).isZero();
      List<String> rows = Files.readAllLines(home.resolve("links.csv"));
      assertThat(rows).hasSameSizeAs(links);
      for (int i = 1; i < rows.size(); i++) {
        double gain = Double.parseDouble(rows.get(i).split(",", -1)[4]);
        assertThat(gain)
            .isCloseTo(Double.parseDouble(links.get(i).split(",", -1)[4]), within(0.01));
      }
    }
    CommandResult missing =
        runRadio("map", "--set", "network.links.gains={name: trace, path: no.csv}");
    assertThat(missing.exitCode()).isEqualTo(2);
    assertThat(missing.err()).contains("no file no.csv").contains("network.links.gains.path");
  }

  @Test
  void nonsenseIsRefusedInOneLine() {
    for (String wrong :
        List.of(
            "network.links.channel.powerWatts=-1",
            "network.links.channel.bandwidthMegahertz=0",
            "network.links.channel.pathLoss.referenceMetres=60",
            "network.links.channel.powerWatts=1e308",
            "network.links.channel.frequencyGigahertz=2.4e9",
            "network.links=even")) {
      CommandResult commandResult = runRadio("map", "--set", wrong);
      assertThat(commandResult.exitCode()).as(wrong).isEqualTo(2);
      assertThat(commandResult.err().strip().lines()).as(wrong).hasSize(1);
    }
    assertThat(runRadio("map", "--target", "99").err()).contains("no peer 99");
    assertThat(runRadio("check", "--blocks", "0").exitCode()).isEqualTo(2);
  }
}
