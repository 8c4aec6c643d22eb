package io.kindred.studies.hfl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PchipTest {
  private static final double[] XS = {0, 1, 2, 3, 5, 8, 9};
  private static final double[] YS = {0, 0.2, 0.31, 0.30, 0.42, 0.44, 0.5};

  /** Values of scipy.interpolate.PchipInterpolator. */
  @Test
  void curveIsThatOfSciPy() {
    Pchip curve = new Pchip(XS, YS);
    double[] at = {0.3, 1.5, 2.5, 4, 6.5, 8.2};
    double[] expected = {
      0.07027306451612904,
      0.272741935483871,
      0.305,
      0.35683098591549295,
      0.42956121343445286,
      0.445665641025641
    };
    for (int i = 0; i < at.length; i++) {
      assertThat(curve.at(at[i])).isEqualTo(expected[i], within(1e-12));
    }
    Pchip turned = new Pchip(new double[] {0, 2, 3}, new double[] {1, 4, 3.5});
    assertThat(turned.at(0.5)).isEqualTo(2.265625, within(1e-12));
    assertThat(turned.at(1.9)).isEqualTo(3.9917083333333334, within(1e-12));
    assertThat(turned.at(2.4)).isEqualTo(3.936, within(1e-12));
  }

  @Test
  void firstPlaceOfAHeightIsFoundAndPointsAreHit() {
    Pchip curve = new Pchip(XS, YS);

    assertThat(curve.firstReaching(0.35).orElseThrow()).isEqualTo(3.9209493802052697, within(1e-9));
    assertThat(curve.firstReaching(0.43).orElseThrow()).isEqualTo(6.628351956245312, within(1e-9));
    assertThat(curve.firstReaching(0.31).orElseThrow()).isEqualTo(2, within(1e-6));
    assertThat(curve.firstReaching(-1).orElseThrow()).isZero();
    assertThat(curve.firstReaching(0.51)).isEmpty();
    for (int i = 0; i < XS.length; i++) {
      assertThat(curve.at(XS[i])).isEqualTo(YS[i], within(1e-12));
    }
  }

  @Test
  void twoPointsAreALine() {
    assertThat(new Pchip(new double[] {0, 4}, new double[] {1, 3}).at(1))
        .isEqualTo(1.5, within(1e-12));
    assertThatThrownBy(() -> new Pchip(new double[] {0}, new double[] {1}))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
