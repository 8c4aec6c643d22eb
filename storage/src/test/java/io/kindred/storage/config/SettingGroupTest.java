package io.kindred.storage.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.config.SettingGroup;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SettingGroupTest {
  record Place(
      @Setting(doc = "host") String host,
      @Setting(doc = "port", fallback = "80", min = 1) int port) {
    Place {
      if (host.isBlank()) {
        throw new SettingException("host", "it is blank", "name a host");
      }
    }
  }

  record Timeouts(@Setting(doc = "seconds to send", fallback = "2.5") double send) {}

  record Grouped(
      @SettingGroup Place place,
      @Setting(doc = "label") Optional<String> label,
      @SettingGroup Timeouts timeouts) {}

  record Twice(@SettingGroup Place one, @SettingGroup Place other) {}

  private static final Binder BINDER = new Binder(List.of());

  private static Grouped bind(String text) {
    return BINDER.bind(Grouped.class, ConfigFile.parse("g.yaml", text));
  }

  @Test
  void keysOfAGroupStandInTheSectionItself() {
    assertThat(bind("host: a\nlabel: b\nsend: 1\n"))
        .isEqualTo(new Grouped(new Place("a", 80), Optional.of("b"), new Timeouts(1)));
  }

  @Test
  void aGroupIsWrittenBackAsTheSameKeys() {
    Grouped bound = new Grouped(new Place("a", 81), Optional.empty(), new Timeouts(2.5));
    assertThat(BINDER.toYaml(bound)).isEqualTo("host: a\nport: 81\nsend: 2.5\n");
    assertThat(bind(BINDER.toYaml(bound))).isEqualTo(bound);
  }

  @Test
  void aMistakeInAGroupIsReportedAtItsLineUnderItsKey() {
    assertThatThrownBy(() -> bind("label: b\nhost: ' '\n"))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("g.yaml:2: 'host': it is blank; name a host");
    assertThatThrownBy(() -> bind("host: a\nsent: 1\n"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("did you mean 'send'? (known: host, port, label, send)");
    assertThatThrownBy(() -> bind("port: 1\n"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("'host' is missing");
  }

  @Test
  void theReferenceListsTheKeysOfAGroup() {
    assertThat(new SchemaDoc(List.of()).rows(Grouped.class))
        .extracting(SchemaDoc.Row::path)
        .containsExactly("host", "port", "label", "send");
  }

  @Test
  void oneKeyInTwoGroupsIsABug() {
    assertThatThrownBy(() -> BINDER.bind(Twice.class, ConfigFile.parse("g.yaml", "host: a\n")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("one key in two groups");
  }
}
