package io.kindred.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.kindred.learning.DataSources;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.StreamSupport;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class DataCommandTest {
  @TempDir private Path home;

  @Test
  void everySetIsListedWithItsHome() {
    CommandResult commandResult = CommandResult.run("data", "list", "--data-dir", home.toString());
    assertThat(commandResult.exitCode()).isZero();
    assertThat(commandResult.out())
        .contains("fashion-mnist", "https://github.com/zalandoresearch", "MIT");
    JsonNode rows = Json.tree(CommandResult.run("data", "list", "--json").out());
    assertThat(
            StreamSupport.stream(rows.spliterator(), false).map(row -> row.path("name").asString()))
        .containsExactlyElementsOf(DataSources.ALL.names());
  }

  @Test
  void everySetHasItsRowInTheReference() throws IOException {
    String page = Files.readString(DocumentationPages.root().resolve("docs/reference/datasets.md"));
    for (String name : DataSources.ALL.names()) {
      assertThat(page).contains("\n| `" + name + "` | ");
    }
  }

  @Test
  void drawnSetsAreShownInFiguresAndAsASheet() throws IOException {
    Path sheet = home.resolve("sheet.png");
    CommandResult commandResult =
        CommandResult.run(
            "data", "show", "glyphs", "--set", "dataset.samples=50", "--sheet", sheet.toString());
    assertThat(commandResult.err()).isEmpty();
    assertThat(commandResult.out())
        .startsWith("glyphs: 50 training and 2,000 test samples, shape 1 x 28 x 28, 10 classes\n")
        .contains("\n    9        5      200  ██████");
    // Pixels are doubled to 56, twelve across and ten down, with gaps of three.
    assertThat(ImageIO.read(sheet.toFile()).getWidth()).isEqualTo(12 * 59 + 3);
    assertThat(ImageIO.read(sheet.toFile()).getHeight()).isEqualTo(10 * 59 + 3);
    JsonNode json =
        Json.tree(
            CommandResult.run("data", "show", "glyphs", "--set", "dataset.samples=50", "--json")
                .out());
    assertThat(json.path("trainPerClass").path(3).asInt()).isEqualTo(5);
    assertThat(json.has("users")).isFalse();
  }

  @Test
  void ownTablesAreShownWithTheirUsersAndHaveNoSheet() throws IOException {
    Files.writeString(
        home.resolve("train.csv"), "x,who,label\n1,a,u\n2,a,v\n3,b,u\n4,b,v\n5,c,u\n6,c,v\n");
    String[] show = {
      "data",
      "show",
      "table",
      "--set",
      "dataset.folder=" + home,
      "--set",
      "dataset.user=who",
      "--set",
      "dataset.testShare=0.4"
    };
    assertThat(CommandResult.run(show).out())
        .contains("table: 4 training and 2 test samples, shape 1, 2 classes")
        .contains("users: 3, of them ");
    CommandResult sheet =
        CommandResult.run(
            "data",
            "show",
            "table",
            "--set",
            "dataset.folder=" + home,
            "--set",
            "dataset.user=who",
            "--sheet",
            "a.png");
    assertThat(sheet.exitCode()).isEqualTo(2);
    assertThat(sheet.err()).contains("cannot be drawn");
  }

  @Test
  void damagedDataEndWithTheCodeForMissingData() throws IOException {
    Files.writeString(home.resolve("train.csv"), "x,label\n1,u\nz,v\n");
    CommandResult commandResult =
        CommandResult.run("data", "show", "table", "--set", "dataset.folder=" + home);
    assertThat(commandResult.exitCode()).isEqualTo(3);
    assertThat(commandResult.err()).contains("train.csv is damaged at line 3").hasLineCount(1);
  }

  @Test
  void aGridWithoutItsDataSaysSoOnce() throws IOException {
    Path file = home.resolve("grid.yaml");
    Files.writeString(file, "method: local\ndataset: mnist\nseeds: [1, 2]\n");
    CommandResult commandResult =
        CommandResult.run(
            "sweep",
            file.toString(),
            "--data-dir",
            home.toString(),
            "--out",
            home.resolve("out").toString());
    assertThat(commandResult.exitCode()).isEqualTo(3);
    assertThat(commandResult.err().lines().filter(line -> line.contains("mnist is missing")))
        .singleElement()
        .asString()
        .startsWith("failed: seed=1 and 1 more: data set mnist is missing");
  }

  @Test
  void aSetIsFetchedFromAMirror() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    byte[] play = "Ann:\nabcdef\n".getBytes(StandardCharsets.UTF_8);
    server.createContext(
        "/mirror/tinyshakespeare-input.txt",
        exchange -> {
          exchange.sendResponseHeaders(200, play.length);
          exchange.getResponseBody().write(play);
          exchange.close();
        });
    server.start();
    try {
      String mirror = "http://localhost:" + server.getAddress().getPort() + "/mirror";
      String[] get = {
        "data", "get", "shakespeare", "--from", mirror, "--data-dir", home.toString()
      };
      CommandResult commandResult = CommandResult.run(get);
      assertThat(commandResult.exitCode()).as(commandResult.err()).isZero();
      assertThat(commandResult.out())
          .contains("fetched; no digest is published; its SHA-256 is now recorded");
      assertThat(home.resolve("shakespeare/tinyshakespeare-input.txt")).hasBinaryContent(play);
      assertThat(CommandResult.run(get).out())
          .contains("already exists; SHA-256 as recorded at the first download");
    } finally {
      server.stop(0);
    }
    CommandResult offline =
        CommandResult.run(
            "data",
            "get",
            "optdigits",
            "--from",
            "http://localhost:1/",
            "--data-dir",
            home.toString());
    assertThat(offline.exitCode()).isEqualTo(3);
    assertThat(offline.err()).contains("put it at " + home.resolve("optdigits"));
  }

  @Test
  void whatCannotBeFetchedIsExplained() {
    CommandResult femnist =
        CommandResult.run("data", "get", "femnist", "--data-dir", home.toString());
    assertThat(femnist.exitCode()).isEqualTo(3);
    assertThat(femnist.err()).contains("LEAF", home.resolve("femnist").toString());
    assertThat(CommandResult.run("data", "get", "glyphs", "--data-dir", "x").err())
        .contains("the program generates it");
    CommandResult wrong = CommandResult.run("data", "get", "fashon-mnist", "--data-dir", "x");
    assertThat(wrong.exitCode()).isEqualTo(2);
    assertThat(wrong.err()).contains("did you mean 'fashion-mnist'?");
  }
}
