package io.kindred.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.files.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RadioCommandTest {
  @TempDir private Path home;

  private Said said(String verb, String... more) {
    String[] words = new String[more.length + 4];
    words[0] = "radio";
    words[1] = verb;
    words[2] = "--out";
    words[3] = home.toString();
    System.arraycopy(more, 0, words, 4, more.length);
    return Said.by(words);
  }

  @Test
  void aMapNamesWhomATargetHearsAndWhoCostsItMost() throws IOException {
    Said said = said("map", "--set", "network.links.epsilon=0.3", "--target", "2");
    assertThat(said.exitCode()).as(said.err()).isZero();
    assertThat(said.out()).contains("target 2 listens to").contains("costliest interferers:");
    List<String> rows = Files.readAllLines(home.resolve("map.csv"));
    assertThat(rows).hasSize(11);
    assertThat(rows.getFirst()).startsWith("peer,x,y,metres,error");
    String svg = Files.readString(home.resolve("map.svg"));
    assertThat(svg).contains("Peer 2 hears").contains("<title>the target</title>");
  }

  @Test
  void thePaperAsPrintedSelectsMoreThanTheMechanismWould() {
    long printed = 0;
    long exact = 0;
    for (String seed : List.of("1", "2", "3", "4", "5")) {
      exact += selected(said("map", "--json", "--seed", seed));
      printed +=
          selected(
              said(
                  "map",
                  "--json",
                  "--seed",
                  seed,
                  "--set",
                  "network.links.channel.moments=printed",
                  "--set",
                  "network.links.channel.error=joint",
                  "--set",
                  "network.links.channel.silence=false"));
    }
    assertThat(printed).isGreaterThan(exact + 3);
  }

  private static long selected(Said said) {
    assertThat(said.exitCode()).as(said.err()).isZero();
    long count = 0;
    for (var each : Json.tree(said.out()).get("selection").get("candidates")) {
      count += each.get("selected").asBoolean() ? 1 : 0;
    }
    return count;
  }

  @Test
  void selectionIsDrawnAndTabulated() throws IOException {
    Said said = said("selection", "--iterations", "2");
    assertThat(said.exitCode()).as(said.err()).isZero();
    for (String name : List.of("threshold-5", "threshold-15", "by-tolerance", "by-threshold")) {
      assertThat(home.resolve("selected-" + name + ".svg")).exists();
      assertThat(Files.readAllLines(home.resolve("selected-" + name + ".csv")))
          .hasSizeGreaterThan(5);
    }
  }

  @Test
  void aCheckComparesEveryVariant() throws IOException {
    Said said = said("check", "--placements", "2", "--blocks", "500");
    assertThat(said.exitCode()).as(said.err()).isZero();
    assertThat(said.out()).contains("given-transmission").contains("printed").contains("60 pairs");
    // Three kinds of moments, two of errors, silence apart or not.
    assertThat(Files.readAllLines(home.resolve("check.csv"))).hasSize(13);
  }

  @Test
  void nonsenseIsRefusedInOneLine() {
    for (String wrong :
        List.of(
            "network.links.channel.powerWatts=-1",
            "network.links.channel.bandwidthMegahertz=0",
            "network.links.channel.referenceMetres=60",
            "network.links=even")) {
      Said said = said("map", "--set", wrong);
      assertThat(said.exitCode()).as(wrong).isEqualTo(2);
      assertThat(said.err().strip().lines()).as(wrong).hasSize(1);
    }
    assertThat(said("map", "--target", "99").err()).contains("no peer 99");
    assertThat(said("check", "--blocks", "0").exitCode()).isEqualTo(2);
  }
}
