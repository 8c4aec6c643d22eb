package io.kindred.protocol.overlay.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What peers send each other in small networks. A changed transcript is a changed protocol: read
 * the difference, and rewrite the files with {@code -Dkindred.rewrite=true} if it is meant.
 */
class OverlayTranscriptsTest {
  static final Path FOLDER = Path.of("src/test/resources/io/kindred/protocol/overlay/transcripts");

  private static Set<String> names() {
    return OverlayScenarios.all().keySet();
  }

  @ParameterizedTest
  @MethodSource("names")
  void peersSendWhatTheTranscriptSays(String name) throws IOException {
    List<String> lines = scenario(name).get();
    Path file = FOLDER.resolve(name + ".txt");
    if (Boolean.getBoolean("kindred.rewrite")) {
      Files.createDirectories(FOLDER);
      Files.write(file, lines);
    }
    assertThat(lines).isEqualTo(Files.readAllLines(file));
  }

  @ParameterizedTest
  @MethodSource("names")
  void aScenarioRepeatsItself(String name) {
    assertThat(scenario(name).get()).isEqualTo(scenario(name).get());
  }

  private static Supplier<List<String>> scenario(String name) {
    return Objects.requireNonNull(OverlayScenarios.all().get(name));
  }

  @Test
  void everyTranscriptBelongsToAScenario() throws IOException {
    Set<String> files = new TreeSet<>();
    try (Stream<Path> all = Files.list(FOLDER)) {
      all.forEach(each -> files.add(each.getFileName().toString().replace(".txt", "")));
    }
    assertThat(files).isEqualTo(names());
  }
}
