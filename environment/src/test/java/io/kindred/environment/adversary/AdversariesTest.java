package io.kindred.environment.adversary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.config.SettingException;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class AdversariesTest {
  private static Adversaries share(double share) {
    return new Adversaries(share, List.of(), new SignFlip(1));
  }

  @Test
  void aShareOfThePeersIsDrawnFromTheSeed() {
    SortedSet<Integer> first = share(0.2).among(40, 7);
    assertThat(first).hasSize(8).allMatch(peer -> peer >= 0 && peer < 40);
    assertThat(share(0.2).among(40, 7)).isEqualTo(first);
    assertThat(share(0.2).among(40, 8)).isNotEqualTo(first);
    assertThat(share(0.1).among(40, 7)).as("a smaller share is a part of a larger one").hasSize(4);
    assertThat(first).containsAll(share(0.1).among(40, 7));
  }

  @Test
  void onePeerAtLeastStaysHonest() {
    assertThat(share(0.9).among(2, 1)).hasSize(1);
    assertThat(share(0).among(40, 1)).isEmpty();
    assertThat(Adversaries.NONE.among(40, 1)).isEmpty();
  }

  @Test
  void namedPeersAreTaken() {
    Adversaries named = new Adversaries(0, List.of(3, 1), new SignFlip(1));
    assertThat(named.among(5, 1)).isEqualTo(new TreeSet<>(List.of(1, 3)));
    named.requireKnownPeers(4);
    assertThatThrownBy(() -> named.requireKnownPeers(3))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("no peer 3");
    assertThatThrownBy(
            () -> new Adversaries(0, List.of(0, 1), new SignFlip(1)).requireKnownPeers(2))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("hostile");
  }

  @Test
  void aShareBesideNamesAndAPeerNamedTwiceAreRefused() {
    assertThatThrownBy(() -> new Adversaries(0.1, List.of(1), new SignFlip(1)))
        .isInstanceOf(SettingException.class);
    assertThatThrownBy(() -> new Adversaries(0, List.of(1, 1), new SignFlip(1)))
        .isInstanceOf(SettingException.class);
  }
}
