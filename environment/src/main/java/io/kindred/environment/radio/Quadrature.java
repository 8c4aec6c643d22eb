package io.kindred.environment.radio;

import org.hipparchus.analysis.UnivariateFunction;
import org.hipparchus.analysis.integration.gauss.GaussIntegrator;
import org.hipparchus.analysis.integration.gauss.GaussIntegratorFactory;

/**
 * Gauss-Legendre in equal panels. The same nodes whatever the integrand, so an integral costs the
 * same always and never fails to converge; tests compare it with a much finer rule.
 */
final class Quadrature {
  private static final int PANELS = 24;
  private static final GaussIntegrator RULE = new GaussIntegratorFactory().legendre(12);

  private Quadrature() {}

  static double integrate(UnivariateFunction function, double from, double to) {
    double width = (to - from) / PANELS;
    double sum = 0;
    for (int panel = 0; panel < PANELS; panel++) {
      double middle = from + (panel + 0.5) * width;
      sum += RULE.integrate(at -> function.value(middle + at * width / 2));
    }
    return sum * width / 2;
  }
}
