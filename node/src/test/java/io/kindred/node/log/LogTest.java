package io.kindred.node.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogTest {
  private static final Instant TIME = Instant.parse("2026-02-03T04:05:06.789123Z");

  private final List<String> lines = new ArrayList<>();

  @Test
  void textIsTheTimeAndTheWords() {
    Log.lines(Log.Format.TEXT, () -> TIME, lines::add).warn("no-tls", "refused: \"x\"");
    assertThat(lines).containsExactly("2026-02-03T04:05:06.789Z refused: \"x\"");
  }

  @Test
  void jsonIsOneObjectALine() {
    Log.lines(Log.Format.JSON, () -> TIME, lines::add).warn("no-tls", "refused: \"x\"\nand more");
    assertThat(lines)
        .containsExactly(
            "{\"time\":\"2026-02-03T04:05:06.789Z\",\"level\":\"warn\",\"event\":\"no-tls\","
                + "\"text\":\"refused: \\\"x\\\"\\nand more\"}");
  }
}
