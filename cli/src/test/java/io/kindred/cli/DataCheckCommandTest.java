package io.kindred.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.cli.query.RunTables;
import io.kindred.learning.data.Picture;
import io.kindred.storage.disk.Pictures;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class DataCheckCommandTest {
  @TempDir private Path home;

  private Path picture(String name, int shade) throws IOException {
    byte[] rgb = new byte[3 * 16];
    for (int i = 0; i < rgb.length; i++) {
      rgb[i] = (byte) (shade + i / 3);
    }
    Path file = home.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.write(file, Pictures.png(new Picture(4, 4, rgb)));
  }

  private Path file(String name, String text) throws IOException {
    Path file = home.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private void pictures(String folder) throws IOException {
    for (int i = 0; i < 5; i++) {
      picture(folder + "/cat/a" + i + ".png", 10 + i);
      picture(folder + "/dog/b" + i + ".png", 110 + i);
    }
  }

  private String check(String... arguments) {
    CommandResult result = CommandResult.run(arguments);
    assertThat(result.err()).isEmpty();
    assertThat(result.exitCode()).isZero();
    return result.out();
  }

  @Test
  void picturesAreCountedByClassAndEveryFileLeftOutIsNamed() throws IOException {
    pictures("pets");
    file("pets/dog/notes.txt", "x");
    picture("pets/stray.png", 70);
    file("pets/cat/broken.png", "no picture");
    Files.copy(home.resolve("pets/dog/b0.png"), home.resolve("pets/dog/copy.png"));
    Files.copy(home.resolve("pets/dog/b1.png"), home.resolve("pets/cat/wrong.png"));
    String text = check("data", "check", home.resolve("pets").toString());
    assertThat(text)
        .contains("pictures in folders", "2 classes")
        .containsPattern("cat +\\d +\\d  cat/a0.png, cat/a1.png")
        .contains("skipDamaged: true, because files are damaged")
        .contains("colour: false, because the first 13 pictures are grey")
        .contains(
            "not a picture (.txt): dog/notes.txt",
            "1 in no folder of a class: stray.png",
            "1 damaged: cat/broken.png (byte 0: not a picture file)")
        .contains("repeated: 2 with the inputs of an earlier sample, 1 of them in another class")
        .contains("cat/wrong.png = dog/b1.png", "dog/b0.png = dog/copy.png")
        .contains("    dataset:\n      name: images\n");
  }

  @Test
  void theExperimentItWritesRunsAsItIs() throws IOException {
    pictures("pets");
    Path out = home.resolve("pets.yaml");
    String text = check("data", "check", home.resolve("pets").toString(), "--out", out.toString());
    assertThat(text).contains("written: " + out);
    CommandResult run =
        CommandResult.run(
            "run",
            out.toString(),
            "--set",
            "rounds=1",
            "--set",
            "model=softmax",
            "--out",
            home.resolve("run").toString());
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(Files.readString(home.resolve("run/data.json"))).contains("\"cat\"", "\"dog\"");
    CommandResult again =
        CommandResult.run(
            "data", "check", home.resolve("pets").toString(), "--out", out.toString());
    assertThat(again.exitCode()).isEqualTo(2);
    assertThat(again.err()).contains("already exists").hasLineCount(1);
  }

  @Test
  void aTableWithoutHeaderIsRecognizedWithItsGapsAndLeaks() throws IOException {
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < 40; i++) {
      String label = i % 2 == 0 ? "yes" : "no";
      rows.append(i % 7 == 3 ? "?" : i * 0.5).append(", Aachen, ");
      rows.append(i % 2 == 0 ? "p" : "q").append(", ").append(label).append('\n');
    }
    Path table = file("census.data", rows.toString());
    String text = check("data", "check", table.toString());
    assertThat(text)
        .contains("a table with a class")
        .contains("header: false, because line 1 looks like data: 0.0, Aachen, p, yes")
        .contains("label: column4, the last column: a guess")
        .contains("missing: impute, because cells have no value")
        .containsPattern("column1 +number +input +6 +34")
        .containsPattern("column2 +category unused +1  constant: every row has Aachen")
        .contains("the column 'column3' alone tells the class of 100.0 % of the training rows")
        .contains("      header: false\n");
    JsonNode json =
        Json.tree(
            check("data", "check", table.toString(), "--set", "dataset.missing=drop", "--json"));
    assertThat(json.path("settings").path("missing").asString()).isEqualTo("drop");
    assertThat(json.path("unused").size()).isEqualTo(6);
    assertThat(json.path("unused").path(0).path("file").asString()).isEqualTo("line 4");
    assertThat(json.path("columns").size()).isEqualTo(4);
  }

  @Test
  void columnsThatNameTheUserOrThePartAreNoLabel() throws IOException {
    StringBuilder rows = new StringBuilder("size,kind,split,site\n");
    for (int i = 0; i < 24; i++) {
      rows.append(i * 0.5).append(i % 2 == 0 ? ",owl," : ",wren,");
      rows.append(i % 3 == 0 ? "test" : "Train").append(",site").append(i % 4).append('\n');
    }
    String table = file("birds.csv", rows.toString()).toString();
    assertThat(check("data", "check", table))
        .contains("16 training and 8 test samples")
        .contains("label: kind, the last column: a guess")
        .contains("user: site, by its name")
        .contains("part: split, whose cells say train or test")
        .contains("the test is the rows that the column 'split' says");
    CommandResult twice = CommandResult.run("data", "check", table, "--set", "dataset.label=site");
    assertThat(twice.exitCode()).isEqualTo(2);
    assertThat(twice.err())
        .contains("the column 'site' has two uses; name each column once")
        .hasLineCount(1);
  }

  @Test
  void parquetIsReadLikeSeparatedValues() throws IOException {
    Path parquet = home.resolve("rows.parquet");
    try (RunTables tables = RunTables.open(List.of())) {
      tables.write(
          "select i / 4 as x, case when i % 3 = 0 then null else 'w' || (i % 2) end as word,"
              + " case when i > 20 then 'high' else 'low' end as label from range(40) r(i)",
          parquet);
    }
    String text = check("data", "check", parquet.toString());
    assertThat(text)
        .contains("separator none: Parquet")
        .containsPattern("x +number +input +40")
        .containsPattern("word +category input +14 +2")
        .containsPattern("high +\\d+ +\\d+");
    Path csv = home.resolve("rows.csv");
    assertThat(check("data", "convert", parquet.toString(), csv.toString())).contains("written");
    assertThat(Files.readAllLines(csv).getFirst()).isEqualTo("x,word,label");
    Path damaged = file("damaged.parquet", "PAR1 nothing");
    CommandResult result = CommandResult.run("data", "check", damaged.toString());
    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(result.err()).contains("damaged.parquet is damaged").hasLineCount(1);
  }

  @Test
  void whatCannotBeReadIsOneLine() throws IOException {
    file("odd/a.xyz", "x");
    CommandResult nothing = CommandResult.run("data", "check", home.resolve("odd").toString());
    assertThat(nothing.exitCode()).isEqualTo(3);
    assertThat(nothing.err())
        .contains("holds nothing that Kindred reads, such as a.xyz")
        .hasLineCount(1);
    CommandResult missing = CommandResult.run("data", "check", home.resolve("no").toString());
    assertThat(missing.exitCode()).isEqualTo(3);
    assertThat(missing.err()).contains("there is no ").hasLineCount(1);
    CommandResult wrong =
        CommandResult.run(
            "data", "check", file("t.csv", "x,label\n1,a\n2,b\n").toString(), "--set", "model=cnn");
    assertThat(wrong.exitCode()).isEqualTo(2);
    assertThat(wrong.err()).contains("sets nothing of the data set").hasLineCount(1);
  }

  @Test
  void numberedTextsAreReadAndARegressionHasNoClasses() throws IOException {
    for (int i = 0; i < 8; i++) {
      String group = i % 2 == 0 ? "sea" : "hill";
      file("news/bydate-train/" + group + "/10" + i, group + " and wave " + i);
      file("news/bydate-test/" + group + "/20" + i, group + " and wind");
    }
    assertThat(check("data", "check", home.resolve("news").toString()))
        .contains("texts in folders, 8 training and 8 test samples", "2 classes")
        .contains("endings: [none], because file names have no ending")
        .contains("the test is the folder bydate-test")
        .contains("      endings: [none]\n");
    StringBuilder rows = new StringBuilder("area,price\n");
    for (int i = 0; i < 60; i++) {
      rows.append(i % 11).append(',').append(i * 10.5).append('\n');
    }
    assertThat(check("data", "check", file("houses.csv", rows.toString()).toString()))
        .contains("a table with numbers to predict", "no classes; below are groups of the target")
        .contains("the test is 20.0 % of each group of the target, drawn from the seed");
  }

  @Test
  void soundsThatNameTheirClassInTheFileAreReadBySpeaker() throws IOException {
    for (String speaker : List.of("ann", "ben")) {
      for (int i = 0; i < 6; i++) {
        Path file =
            home.resolve("voices/" + speaker + "/" + (i % 2 == 0 ? "hi" : "lo") + "_" + i + ".wav");
        Files.createDirectories(file.getParent());
        Files.write(file, tone(i % 2 == 0 ? 2000 : 200));
      }
    }
    assertThat(check("data", "check", home.resolve("voices").toString()))
        .contains("classes: name and users: first, because the files of every folder begin with")
        .contains("users: 2 with 6 to 6 samples")
        .contains("partition: by-user");
  }

  private static byte[] tone(double hertz) {
    int length = 8000;
    ByteBuffer out = ByteBuffer.allocate(44 + length).order(ByteOrder.LITTLE_ENDIAN);
    out.put("RIFF".getBytes(StandardCharsets.US_ASCII)).putInt(36 + length);
    out.put("WAVEfmt ".getBytes(StandardCharsets.US_ASCII)).putInt(16);
    out.putShort((short) 1).putShort((short) 1).putInt(8000).putInt(8000);
    out.putShort((short) 1).putShort((short) 8);
    out.put("data".getBytes(StandardCharsets.US_ASCII)).putInt(length);
    for (int i = 0; i < length; i++) {
      out.put((byte) (128 + 100 * Math.sin(2 * Math.PI * hertz * i / 8000)));
    }
    return out.array();
  }
}
