package io.kindred.environment.radio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.radio.PeerPositions.Position;
import io.kindred.environment.radio.RadioMedium.Heard;
import io.kindred.environment.radio.RadioMedium.Sender;
import java.util.List;
import org.junit.jupiter.api.Test;

class RadioMediumTest {
  private static final Channel TABLE = Channel.paperDefaults();
  private static final RandomStreams STREAMS = new RandomStreams(11);

  private static RadioMedium medium(PeerPositions positions, boolean saturated) {
    RadioField field = new RadioField(TABLE, positions, STREAMS);
    return new RadioMedium(TABLE, block -> field, saturated, STREAMS);
  }

  @Test
  void aSenderAloneMeetsTheNoiseOfItsSubChannel() {
    PeerPositions two = new PeerPositions(List.of(new Position(0, 0), new Position(30, 40)));
    double mean = 0.2 * TABLE.pathGain(50) / TABLE.noiseWatts();
    RadioMedium medium = medium(two, false);
    int blocks = 20_000;
    int silent = 0;
    double lowest = Double.POSITIVE_INFINITY;
    for (int block = 0; block < blocks; block++) {
      List<Heard> heard = medium.transmissions(block, List.of(new Sender(1, 0)));
      silent += heard.isEmpty() ? 1 : 0;
      for (Heard each : heard) {
        lowest = Math.min(lowest, each.sinr());
      }
    }
    // Silent where the best of 14 exponential powers of mean 2 is below 4.
    double expected = Math.pow(1 - Math.exp(-2), 14);
    assertThat(silent / (double) blocks)
        .isCloseTo(expected, within(4 * Math.sqrt(expected / blocks)));
    assertThat(lowest).isGreaterThanOrEqualTo(4 * mean).isCloseTo(4 * mean, within(0.02 * mean));
    // 1.38e-23 J/K at 290 K over 100 MHz / 14.
    assertThat(TABLE.noiseWatts()).isCloseTo(2.8586e-14, within(1e-17));
    assertThat(TABLE.withNoise(Channel.NoiseOver.BAND).noiseWatts())
        .isCloseTo(14 * TABLE.noiseWatts(), within(1e-25));
  }

  @Test
  void saturatedInterferenceFailsAsOftenAsTheMechanismOfThePaper() {
    PeerPositions positions = PeerPositions.uniform(9, 50, STREAMS.stream(Purpose.PLACEMENT, 0, 0));
    int blocks = 20_000;
    var played =
        new ChannelSimulation(TABLE, new RadioField(TABLE, positions, STREAMS))
            .failureFrequencies(0, List.of(10.0), blocks, STREAMS.stream(Purpose.FADING, 0, 1))
            .getFirst();
    RadioMedium medium = medium(positions, true);
    for (ChannelSimulation.Frequency each : played.subList(0, 3)) {
      int sent = 0;
      int failed = 0;
      for (int block = 0; block < blocks; block++) {
        for (Heard heard : medium.transmissions(block, List.of(new Sender(each.peer(), 0)))) {
          sent++;
          failed += heard.sinr() < 10 ? 1 : 0;
        }
      }
      // Four standard errors of the difference of two frequencies.
      assertThat(failed / (double) sent)
          .isCloseTo(each.givenTransmission(), within(4 * Math.sqrt(0.5 / sent)));
    }
  }

  @Test
  void silentPeersDisturbNobodyUnlessTheMediumIsSaturated() {
    PeerPositions positions = PeerPositions.uniform(9, 50, STREAMS.stream(Purpose.PLACEMENT, 0, 1));
    PeerPositions two = new PeerPositions(positions.positions().subList(0, 2));
    List<Sender> one = List.of(new Sender(1, 0));
    RadioMedium pair = medium(two, false);
    RadioMedium quiet = medium(positions, false);
    RadioMedium full = medium(positions, true);
    int disturbed = 0;
    for (int block = 0; block < 200; block++) {
      List<Heard> alone = pair.transmissions(block, one);
      assertThat(quiet.transmissions(block, one)).isEqualTo(alone);
      List<Heard> saturated = full.transmissions(block, one);
      disturbed +=
          !alone.isEmpty() && saturated.getFirst().sinr() < alone.getFirst().sinr() ? 1 : 0;
    }
    assertThat(disturbed).isBetween(20, 180);
  }

  @Test
  void twoSendersOnOneSubChannelDisturbEachOther() {
    Channel one = TABLE.withSubChannels(1);
    PeerPositions three =
        new PeerPositions(List.of(new Position(0, 0), new Position(20, 0), new Position(0, 20)));
    RadioField field = new RadioField(one, three, STREAMS);
    RadioMedium medium = new RadioMedium(one, block -> field, false, STREAMS);
    int both = 0;
    for (int block = 0; block < 2_000; block++) {
      List<Heard> heard = medium.transmissions(block, List.of(new Sender(1, 0), new Sender(2, 0)));
      if (heard.size() == 2) {
        both++;
        // Equally far: the ratios are each other's inverse, but for the noise.
        assertThat(heard.get(0).sinr() * heard.get(1).sinr()).isCloseTo(1, within(1e-2));
      } else if (heard.size() == 1) {
        assertThat(heard.getFirst().sinr()).isGreaterThan(1_000);
      }
    }
    assertThat(both / 2_000.0).isCloseTo(Math.exp(-4), within(0.013));
  }
}
