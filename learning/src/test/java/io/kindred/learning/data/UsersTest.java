package io.kindred.learning.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.weights.Ints;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UsersTest {
  private static final Features TWO = new ByteFeatures(new byte[] {1, 2}, 1, 1, 0);

  @Test
  void aSampleIsOfTheUserWhoseNumberItCarries() {
    Users users = new Users(Ints.of(1, 0), List.of("Ann", "Ben"));
    Samples samples = new Samples(TWO, Ints.of(5, 6), Optional.of(users));
    assertThat(samples.users().map(known -> known.names().get(known.of(0)))).contains("Ben");
    assertThat(new Samples(TWO, Ints.of(5, 6)).users()).isEmpty();
  }

  @Test
  void everySampleNeedsAUserWhoHasAName() {
    assertThatThrownBy(() -> new Users(Ints.of(0, 1), List.of("Ann")))
        .hasMessage("sample 1 belongs to user 1, but there are 1");
    Users one = new Users(Ints.of(0), List.of("Ann"));
    assertThatThrownBy(() -> new Samples(TWO, Ints.of(5, 6), Optional.of(one)))
        .hasMessage("2 samples but 1 users");
  }
}
