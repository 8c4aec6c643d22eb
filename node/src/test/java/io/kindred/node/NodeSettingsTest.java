package io.kindred.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.learning.Engines;
import io.kindred.node.log.LogFormat;
import io.kindred.node.log.LogLevel;
import io.kindred.storage.config.Binder;
import io.kindred.storage.config.ConfigException;
import io.kindred.storage.config.ConfigFile;
import io.kindred.storage.config.SchemaDoc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NodeSettingsTest {
  private static NodeSettings read(String... lines) {
    String text = "experiment: e.yaml\npeer: 0\n" + String.join("\n", lines) + "\n";
    return new Binder(List.of(Engines.ALL))
        .bind(NodeSettings.class, ConfigFile.parse("node.yaml", text));
  }

  private static void assertRefused(String words, String... lines) {
    assertThatThrownBy(() -> read(lines))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(words)
        .hasMessageContaining("use letters, digits, hyphens and dots");
  }

  @Test
  void invalidHostsAreRefusedWithTheirLine() {
    assertRefused("node.yaml:4: ", "neighbours:", "  3: my_node:7400");
    assertRefused("node.yaml:3: ", "advertise: my_node:7400", "neighbours: {}");
    assertRefused("'my_node' is not a host name", "listen: my_node:7400", "neighbours: {}");
  }

  @Test
  void whereOthersDoNotConnectANodeMayListenAtAnyName() {
    NodeSettings settings =
        read(
            "listen: my_node:7400",
            "advertise: host-1.example:7400",
            "neighbours: {3: \"[::1]:7400\", 4: relay}",
            "operations: {listen: \"my_node:9400\"}");
    assertThat(settings.addresses().reachable()).hasSize(1);
    assertThat(settings.addresses().advertisedAddress()).isPresent();
  }

  @Test
  void memoryIsDividedAsTheLauncherDoesAndAnUnboundedProcessIsRefused() {
    NodeSettings.ComputeSettings bounded =
        read("neighbours: {}", "memoryMegabytes: 560").computing();
    assertThat(bounded.memoryOptions()).containsExactly("-Xmx300m", "-XX:MaxDirectMemorySize=100m");
    bounded.requireBounded(300L << 20);
    assertThatThrownBy(() -> bounded.requireBounded((300L << 20) + 1))
        .hasMessageContaining("300 MB of 560");
    NodeSettings.ComputeSettings free = read("neighbours: {}").computing();
    assertThat(free.memoryOptions()).isEmpty();
    free.requireBounded(Long.MAX_VALUE);
  }

  @Test
  void theLogIsSetByFormatAndLevel() {
    NodeSettings.OutputSettings plain = read("neighbours: {}").output();
    assertThat(plain.log()).isEqualTo(LogFormat.TEXT);
    assertThat(plain.logLevel()).isEqualTo(LogLevel.INFO);
    NodeSettings.OutputSettings set =
        read("neighbours: {}", "log: json", "logLevel: debug").output();
    assertThat(set.log()).isEqualTo(LogFormat.JSON);
    assertThat(set.logLevel()).isEqualTo(LogLevel.DEBUG);
    assertThatThrownBy(() -> read("neighbours: {}", "logLevel: loud"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("node.yaml:4: ")
        .hasMessageContaining("logLevel")
        .hasMessageContaining("loud")
        .hasMessageContaining("debug, info, warn, error");
    assertThatThrownBy(() -> read("neighbours: {}", "log: xml"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("xml")
        .hasMessageContaining("text, json");
  }

  /** Grouping the settings in code must not move a key of the file. */
  @Test
  void theReferenceListsEveryKey() throws IOException {
    Path page = Path.of(Files.exists(Path.of("../docs")) ? ".." : "", "docs/reference/node.md");
    String text = Files.readString(page);
    int start = text.indexOf("## Keys of node.yaml");
    List<String> listed =
        text.substring(start, text.indexOf("\n## ", start))
            .lines()
            .filter(line -> line.startsWith("| `"))
            .flatMap(line -> Stream.of(line.substring(1, line.indexOf('|', 1)).split(",", -1)))
            .map(key -> key.replace("`", "").strip())
            .toList();
    // Sections are listed by their keys, but for the trainer, which has a page of its own.
    List<String> keys =
        new SchemaDoc(List.of(Engines.ALL))
            .rows(NodeSettings.class).stream()
                .filter(row -> !row.type().equals("section") || row.path().equals("trainer"))
                .map(SchemaDoc.Row::path)
                .filter(path -> !path.startsWith("trainer."))
                .toList();

    assertThat(listed).containsExactlyInAnyOrderElementsOf(keys);
  }
}
