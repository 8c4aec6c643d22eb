package io.kindred.node.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Operators look up the kinds of their status in docs/reference/node.md. */
class RefusalKindTest {
  private static final Pattern LABEL = Pattern.compile("`([a-z-]+)`");

  private static String section() throws IOException {
    Path page = Path.of(Files.exists(Path.of("../docs")) ? ".." : "", "docs/reference/node.md");
    String text = Files.readString(page);
    int start = text.indexOf("## What is refused");
    return text.substring(start, text.indexOf("\n## ", start));
  }

  private static List<String> labels(String text) {
    return LABEL.matcher(text).results().map(result -> result.group(1)).toList();
  }

  @Test
  void thePageExplainsEachKindOnceByItsLabel() throws IOException {
    List<String> explained =
        section()
            .lines()
            .filter(line -> line.startsWith("| `"))
            .flatMap(line -> labels(line.substring(0, line.indexOf('|', 1))).stream())
            .toList();

    assertThat(explained)
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(RefusalKind.values()).map(RefusalKind::label).toList());
  }

  @Test
  void thePageNamesTheOffences() throws IOException {
    String sentence =
        section()
            .lines()
            .filter(line -> line.startsWith("Offences are "))
            .findFirst()
            .orElseThrow();

    assertThat(labels(sentence))
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(RefusalKind.values())
                .filter(RefusalKind::isOffence)
                .map(RefusalKind::label)
                .toList());
  }
}
