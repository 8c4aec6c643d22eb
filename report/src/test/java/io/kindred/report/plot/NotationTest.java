package io.kindred.report.plot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NotationTest {
  @Test
  void showsFractionsInPercent() {
    assertThat(Notation.PERCENT.tick(0.2, 0.2)).isEqualTo("20 %");
    assertThat(Notation.PERCENT.tick(0.025, 0.005)).isEqualTo("2.5 %");
  }

  @Test
  void signsPoints() {
    assertThat(Notation.POINTS.tick(0.05, 0.05)).isEqualTo("+5");
    assertThat(Notation.POINTS.tick(-0.05, 0.05)).isEqualTo("−5");
    assertThat(Notation.POINTS.tick(0, 0.05)).isEqualTo("0");
    assertThat(Notation.POINTS.tick(-0.0001, 0.05)).isEqualTo("0");
  }

  @Test
  void prefixesBytes() {
    assertThat(Notation.BYTES.tick(0, 500_000)).isEqualTo("0 B");
    assertThat(Notation.BYTES.tick(500_000, 500_000)).isEqualTo("500 kB");
    assertThat(Notation.BYTES.tick(1_500_000, 500_000)).isEqualTo("1.5 MB");
    assertThat(Notation.BYTES.value(12_345_678)).isEqualTo("12.3 MB");
  }

  @Test
  void prefixesSmallNumbers() {
    assertThat(Notation.SI.tick(0.002, 0.001)).isEqualTo("2 m");
    assertThat(Notation.SI.tick(25_000, 5_000)).isEqualTo("25 k");
    assertThat(Notation.PLAIN.tick(0.2, 0.2)).isEqualTo("0.2");
  }
}
