package io.kindred.report.plot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AxisTicksTest {
  @Test
  void coverTheRangeInStepsOfOneTwoOrFive() {
    assertThat(AxisTicks.covering(0.13, 0.87, 5, 0).values())
        .containsExactly(0.0, 0.2, 0.4, 0.6, 0.8, 1.0);
    assertThat(AxisTicks.covering(0, 47, 5, 0).values())
        .containsExactly(0.0, 10.0, 20.0, 30.0, 40.0, 50.0);
    assertThat(AxisTicks.covering(-3, 4, 4, 0).values()).containsExactly(-4.0, -2.0, 0.0, 2.0, 4.0);
  }

  @Test
  void areExactDecimals() {
    assertThat(AxisTicks.covering(0, 0.5, 5, 0).values())
        .containsExactly(0.0, 0.1, 0.2, 0.3, 0.4, 0.5);
  }

  @Test
  void neverFallBetweenWholeNumbers() {
    assertThat(AxisTicks.covering(1, 3, 9, 1).values()).containsExactly(1.0, 2.0, 3.0);
  }

  @Test
  void openAConstantRange() {
    AxisTicks axisTicks = AxisTicks.covering(0.7, 0.7, 6, 0);
    assertThat(axisTicks.low()).isLessThan(0.7);
    assertThat(axisTicks.high()).isGreaterThan(0.7);
  }

  @Test
  void surviveAnythingFinite() {
    for (double low : new double[] {0, 1e-12, -1e-12, 1e300, -5, 123456789, Double.NaN}) {
      for (double span : new double[] {0, 1e-9, 1, 1e12}) {
        AxisTicks axisTicks = AxisTicks.covering(low, low + span, 6, 0);
        assertThat(axisTicks.high()).as("%s + %s", low, span).isGreaterThan(axisTicks.low());
        assertThat(axisTicks.values()).hasSizeLessThanOrEqualTo(8);
      }
    }
  }

  @Test
  void stopAtHardLimits() {
    AxisTicks axisTicks = Axis.percent("accuracy").ticks(new Extent(0.35, 0.998), 6);
    assertThat(axisTicks.low()).isGreaterThanOrEqualTo(0);
    assertThat(axisTicks.high()).isEqualTo(1);
  }
}
