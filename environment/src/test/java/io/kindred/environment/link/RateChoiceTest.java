package io.kindred.environment.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.environment.radio.Channel;
import org.junit.jupiter.api.Test;

class RateChoiceTest {
  private static final Channel TABLE = Channel.paperDefaults();

  @Test
  void theFixedRateIsTheCapacityAtTheThresholdWhateverTheRatio() {
    RateChoice fixed = RadioTransfers.usual().rates(TABLE);
    assertThat(fixed.adapts()).isFalse();
    for (double snr : new double[] {0, 10, 1e9}) {
      assertThat(fixed.choose(snr, 1).sinr()).isEqualTo(10);
      // log2(11) bits over 100 MHz / 14.
      assertThat(fixed.choose(snr, 1).bytesPerSecond()).isCloseTo(3_088_778.2, within(1.0));
    }
  }

  @Test
  void anAdaptedRateIsTheHighestThatTheRatioAllows() {
    RateChoice adapted = RateChoice.adapted(TABLE, 0.1);
    double hertz = 1e8 / 14;
    // 873/1024 of six bits need a ratio of 2^5.1152 - 1 = 33.66, 948/1024 need 46.00.
    assertThat(adapted.choose(40, 1).bytesPerSecond()).isCloseTo(hertz * 5.1152 / 8, within(1.0));
    assertThat(adapted.choose(40, 1).sinr()).isCloseTo(33.66, within(0.01));
    assertThat(adapted.choose(1e9, 1).sinr()).isCloseTo(46.0, within(0.01));
    assertThat(adapted.choose(Double.POSITIVE_INFINITY, 1).bytesPerSecond())
        .isCloseTo(hertz * 5.5547 / 8, within(1.0));
    // 78/1024 of two bits, even where not even these are expected to arrive.
    assertThat(adapted.choose(1e-9, 1).bytesPerSecond()).isCloseTo(hertz * 0.1523 / 8, within(1.0));
    // The margin counts from what the highest rate needs: half of 46.0 is 23.0, 2^4.5234 - 1 = 22.
    assertThat(adapted.choose(1e9, 0.5).sinr()).isCloseTo(22.0, within(0.01));
  }

  @Test
  void theMarginStaysWhereTheWantedShareOfBlocksFails() {
    RateChoice adapted = RateChoice.adapted(TABLE, 0.25);
    double margin = 0.1;
    for (int block = 0; block < 40; block++) {
      margin = adapted.marginAfter(margin, block % 4 != 0);
    }
    assertThat(margin).isCloseTo(0.1, within(1e-12));
    assertThat(10 * Math.log10(adapted.marginAfter(0.1, false))).isCloseTo(-11, within(1e-12));
  }

  @Test
  void theMarginStaysBetweenNoneAndTheLowestRate() {
    RateChoice adapted = RateChoice.adapted(TABLE, 0.1);
    assertThat(adapted.marginAfter(1, true)).isEqualTo(1);
    double margin = 1;
    for (int block = 0; block < 200; block++) {
      margin = adapted.marginAfter(margin, false);
    }
    // 2^0.1523 - 1 over 2^5.5547 - 1.
    assertThat(margin).isCloseTo(0.1113 / 46.0, within(1e-5));
  }
}
