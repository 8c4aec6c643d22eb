package io.kindred.node.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.config.SettingException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TrainerSettingsTest {
  private static TrainerSettings settings(
      List<String> command, Optional<String> address, TrainerSettings.Data data) {
    return new TrainerSettings(command, address, data, 600, 60, 5);
  }

  @Test
  void nothingMeansThatTheNodeTrainsItself() {
    assertThat(settings(List.of(), Optional.empty(), TrainerSettings.Data.HANDED).isBuiltIn())
        .isTrue();
    assertThat(settings(List.of("a"), Optional.empty(), TrainerSettings.Data.OWN).isBuiltIn())
        .isFalse();
    assertThatThrownBy(() -> settings(List.of(), Optional.empty(), TrainerSettings.Data.OWN))
        .isInstanceOf(SettingException.class);
  }

  @Test
  void aCommandAndAnAddressAreOneTooMany() {
    assertThatThrownBy(
            () -> settings(List.of("a"), Optional.of("unix:/b"), TrainerSettings.Data.HANDED))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("a command and an address");
  }

  /** The connection has no TLS, so it must not leave the machine. */
  @Test
  void onlyAddressesOfThisMachineAreTaken() {
    for (String good : List.of("unix:/run/trainer", "127.0.0.1:7500", "[::1]:7500")) {
      assertThat(settings(List.of(), Optional.of(good), TrainerSettings.Data.HANDED).isBuiltIn())
          .isFalse();
    }
    for (String bad :
        List.of("192.0.2.1:7500", "0.0.0.0:7500", "unix:", "127.0.0.1", "127.0.0.1:99999")) {
      assertThatThrownBy(() -> settings(List.of(), Optional.of(bad), TrainerSettings.Data.HANDED))
          .as(bad)
          .isInstanceOf(SettingException.class)
          .hasMessageContaining(bad);
    }
  }
}
