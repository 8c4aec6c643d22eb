package io.kindred.environment.radio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.radio.PeerPositions.Position;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GainTraceTest {
  private static GainSource read(String text) {
    return new GainTrace("g.csv").read(4, path -> Optional.of(text));
  }

  @Test
  void gainsHoldUntilTheNextRowAndServeBothDirectionsWhereOneIsListed() {
    GainSource gains =
        read("seconds,from,to,gainDb\n0,0,1,-60\n5,0,1,-80\n0,1,2,-40\n0,2,1,-50\n3,2,3,-30\n");
    assertThat(gains.gain(0, 0, 1)).hasValueCloseTo(1e-6, within(1e-18));
    assertThat(gains.gain(4.99, 1, 0)).hasValueCloseTo(1e-6, within(1e-18));
    assertThat(gains.gain(5, 1, 0)).hasValueCloseTo(1e-8, within(1e-20));
    assertThat(gains.gain(9, 1, 2)).hasValueCloseTo(1e-4, within(1e-16));
    assertThat(gains.gain(9, 2, 1)).hasValueCloseTo(1e-5, within(1e-17));
    assertThat(gains.gain(2.9, 2, 3)).hasValue(0);
    assertThat(gains.gain(9, 0, 3)).hasValue(0);
    assertThat(gains.varyOverTime()).isTrue();
    assertThat(read("from,to,gainDb\n0,1,-60").varyOverTime()).isFalse();
    assertThat(read("seconds,from,to,gainDb\n2,0,1,-60").varyOverTime()).isTrue();
  }

  /** The same two gains, once by distance and once from a file. */
  @Test
  void aFieldWithTheGainsOfItsDistancesHasTheirErrors() {
    Channel table = Channel.paperDefaults();
    List<Position> at = List.of(new Position(0, 0), new Position(20, 0), new Position(0, 30));
    RandomStreams streams = new RandomStreams(1);
    RadioField placed = new RadioField(table, new PeerPositions(at), streams);
    // Free space up to 1 m, then the cube: 40.05 dB + 30 log10(metres) at 2.4 GHz.
    String text =
        "from,to,gainDb\n0,1,%s\n0,2,%s\n1,2,%s"
            .formatted(decibels(20), decibels(30), decibels(Math.hypot(20, 30)));
    List<Position> elsewhere =
        List.of(new Position(1, 1), new Position(1, 1), new Position(1, 1), new Position(1, 1));
    RadioField traced =
        new RadioField(table, new PeerPositions(elsewhere), streams).withGains(read(text));
    assertThat(traced.gain(1, 0)).isCloseTo(placed.gain(1, 0), within(1e-12));
    assertThat(traced.errorProbability(1, 0))
        .isCloseTo(placed.errorProbability(1, 0), within(1e-6))
        .isPositive();
    // Peer 3 is not in the file: nobody hears it, and it disturbs nobody.
    assertThat(traced.errorProbability(3, 0)).isEqualTo(1);
  }

  private static double decibels(double metres) {
    double wavelength = 299_792_458 / 2.4e9;
    return 20 * Math.log10(wavelength / (4 * Math.PI)) - 30 * Math.log10(metres);
  }

  @Test
  void wrongGainsAreRefusedWithTheirLine() {
    String head = "from,to,gainDb\n";
    for (List<String> wrong :
        List.of(
            List.of(head + "0,1,3", "g.csv:2: the gainDb 3 is not between -1000.0 and 0.0"),
            List.of(head + "1,1,-3", "g.csv:2: peer 1 has no link to itself"),
            List.of(head + "0,1,-3\n0,1,-4", "g.csv:3: this direction has two gains"),
            List.of(head + "0,4,-3", "g.csv:2: there is no peer 4 among 4"))) {
      assertThatThrownBy(() -> read(wrong.getFirst()))
          .isInstanceOf(SettingException.class)
          .hasMessageContaining(wrong.getLast());
    }
  }
}
