package io.kindred.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Follows docs/tutorial/own-data.md as written, on newly generated data. The page's folder, mine,
 * is a temporary folder of the test.
 */
class TutorialTest {
  private static final Pattern FILE =
      Pattern.compile("```yaml\\n# (mine/\\S+)\\n(.*?)```", Pattern.DOTALL);

  @TempDir private Path home;

  @Test
  void ownDataCanBeFollowedLiterally() throws IOException {
    Path page = DocumentationPages.root().resolve("docs/tutorial/own-data.md");
    List<DocumentationPages.PageExcerpt> commands = DocumentationPages.commands(page);
    assertThat(commands).hasSizeGreaterThan(9);
    follow(commands.getFirst());
    drawPictures();
    writeTable();
    writeFiles(Files.readString(page));
    commands.stream().skip(1).forEach(this::follow);
    for (String written :
        List.of(
            "birds.png",
            "split/birds-labels.svg",
            "first/report.html",
            "birds-compared/report.html",
            "plants-compared/report.html",
            "figures/similarity.png",
            "numbers/metrics.parquet")) {
      assertThat(home.resolve("mine").resolve(written)).isNotEmptyFile();
    }
  }

  private void follow(DocumentationPages.PageExcerpt command) {
    String[] words =
        DocumentationPagesTest.words(command.text()).stream()
            .map(this::inHome)
            .toArray(String[]::new);
    CommandResult commandResult = CommandResult.run(words);
    assertThat(commandResult.exitCode()).as("%s%n%s", command, commandResult.err()).isZero();
  }

  private String inHome(String text) {
    return text.replaceAll("\\bmine(?=/|$)", Matcher.quoteReplacement(home + "/mine"));
  }

  private void writeFiles(String page) throws IOException {
    Matcher file = FILE.matcher(page);
    int written = 0;
    while (file.find()) {
      Files.writeString(home.resolve(file.group(1)), inHomeFolders(file.group(2)));
      written++;
    }
    assertThat(written).isEqualTo(2);
  }

  private String inHomeFolders(String yaml) {
    return yaml.replace("folder: mine/", "folder: " + home + "/mine/");
  }

  /** Owls are bright in the middle, wrens at the left, terns at the top. */
  private void drawPictures() throws IOException {
    SplittableRandom random = new SplittableRandom(5);
    List<String> birds = List.of("owl", "wren", "tern");
    for (int kind = 0; kind < birds.size(); kind++) {
      Path folder = Files.createDirectories(home.resolve("mine/birds").resolve(birds.get(kind)));
      for (int i = 0; i < 60; i++) {
        BufferedImage image = new BufferedImage(24, 20, BufferedImage.TYPE_INT_RGB);
        for (int x = 0; x < 24; x++) {
          for (int y = 0; y < 20; y++) {
            boolean bright = kind == 0 ? x > 8 && x < 16 : kind == 1 ? x < 8 : y < 7;
            int grey = (bright ? 130 : 40) + random.nextInt(100);
            image.setRGB(x, y, grey << 16 | grey << 8 | grey);
          }
        }
        boolean jpeg = i % 2 == 0;
        Path file = folder.resolve(i + (jpeg ? ".jpg" : ".png"));
        ImageIO.write(image, jpeg ? "jpg" : "png", file.toFile());
      }
    }
  }

  /** Plants grow slightly differently in each garden. */
  private void writeTable() throws IOException {
    SplittableRandom random = new SplittableRandom(6);
    StringBuilder table = new StringBuilder("length,width,garden,species\n");
    List<String> gardens = List.of("north", "south", "east", "west");
    for (int i = 0; i < 240; i++) {
      boolean iris = random.nextBoolean();
      String garden = gardens.get(i % 4);
      double length = (iris ? 5 : 6) + 0.2 * (i % 4) + 0.3 * random.nextGaussian();
      table.append(length).append(',').append((iris ? 3.5 : 2.9) + 0.2 * random.nextGaussian());
      table.append(',').append(garden).append(',').append(iris ? "iris" : "lily").append('\n');
    }
    Path folder = Files.createDirectories(home.resolve("mine/table"));
    Files.writeString(folder.resolve("plants.csv"), table);
  }
}
