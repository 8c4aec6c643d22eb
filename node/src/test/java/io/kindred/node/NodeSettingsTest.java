package io.kindred.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.storage.config.Binder;
import io.kindred.storage.config.ConfigException;
import io.kindred.storage.config.ConfigFile;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeSettingsTest {
  private static NodeSettings read(String... lines) {
    String text = "experiment: e.yaml\npeer: 0\n" + String.join("\n", lines) + "\n";
    return new Binder(List.of()).bind(NodeSettings.class, ConfigFile.parse("node.yaml", text));
  }

  private static void assertRefused(String words, String... lines) {
    assertThatThrownBy(() -> read(lines))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(words)
        .hasMessageContaining("use letters, digits, hyphens and dots");
  }

  @Test
  void hostsThatNobodyCanConnectToAreRefusedWithTheirLine() {
    assertRefused("node.yaml:4: ", "neighbours:", "  3: my_node:7400");
    assertRefused("node.yaml:3: ", "advertise: my_node:7400", "neighbours: {}");
    assertRefused("'my_node' is no name of a host", "listen: my_node:7400", "neighbours: {}");
  }

  @Test
  void whereOthersDoNotConnectANodeMayListenAtAnyName() {
    NodeSettings settings =
        read(
            "listen: my_node:7400",
            "advertise: host-1.example:7400",
            "neighbours: {3: \"[::1]:7400\", 4: relay}",
            "operations: {listen: \"my_node:9400\"}");
    assertThat(settings.addresses()).hasSize(1);
    assertThat(settings.advertisedAddress()).isPresent();
  }
}
