package io.kindred.benchmarks;

import io.kindred.core.config.Catalogue;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.methods.robust.AsPublished;
import io.kindred.methods.robust.CoordinateMedian;
import io.kindred.methods.robust.CosineGate;
import io.kindred.methods.robust.GeometricMedian;
import io.kindred.methods.robust.HeldOutGate;
import io.kindred.methods.robust.Krum;
import io.kindred.methods.robust.MultiKrum;
import io.kindred.methods.robust.NormClip;
import io.kindred.methods.robust.RobustInput;
import io.kindred.methods.robust.RobustRule;
import io.kindred.methods.robust.TrimmedMean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Milliseconds that each rule of mixing takes for the own model and nine others of 582,026 weights,
 * the size of SemanticDFL's network: processor time of one thread, so that a busy machine does not
 * matter much. The held-out gate is without the two losses that the engine computes for it.
 *
 * <p>Usage: {@code ./benchmarks/run RobustRulesSpeed}
 */
public final class RobustRulesSpeed {
  private static final int WEIGHTS = 582_026;
  private static final int MODELS = 10;
  private static final int WARM_UP = 20;
  private static final int RUNS = 31;

  private RobustRulesSpeed() {}

  /** Prints the median, the fastest and the slowest run of each rule. */
  public static void main(String[] arguments) {
    RobustInput input = input();
    System.out.println("rule              median ms   fastest   slowest");
    for (RobustRule rule :
        List.of(
            new AsPublished(),
            new NormClip(2),
            new CoordinateMedian(),
            new TrimmedMean(0.2),
            new Krum(0.2),
            new MultiKrum(0.2),
            new GeometricMedian(8, 1e-6),
            new CosineGate(0, 3),
            new HeldOutGate(0))) {
      double[] milliseconds = new double[RUNS];
      float kept = 0;
      for (int run = -WARM_UP; run < RUNS; run++) {
        long start = nanos();
        kept += rule.mix(input).weights().get(0);
        if (run >= 0) {
          milliseconds[run] = (nanos() - start) / 1e6;
        }
      }
      Arrays.sort(milliseconds);
      System.out.printf(
          Locale.ROOT,
          "%-17s %9.2f %9.2f %9.2f%s%n",
          Catalogue.nameOf(rule.getClass()),
          milliseconds[RUNS / 2],
          milliseconds[0],
          milliseconds[RUNS - 1],
          Float.isNaN(kept) ? " not a number" : "");
    }
  }

  private static long nanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static RobustInput input() {
    Layout layout = Layout.builder().add("all", WEIGHTS).build();
    List<MixturePart> parts = new ArrayList<>();
    for (int model = 0; model < MODELS; model++) {
      float[] values = new float[WEIGHTS];
      for (int i = 0; i < WEIGHTS; i++) {
        values[i] = (float) (0.01 * Math.sin(i) + 0.001 * Math.sin(1 + i * (2.0 + model)));
      }
      parts.add(new MixturePart(Weights.wrap(layout, values), 1.0 / MODELS));
    }
    Weights start = Weights.wrap(layout, new float[WEIGHTS]);
    return new RobustInput(
        Optional.of(parts.getFirst()),
        Optional.of(new RobustInput.Update(start, parts.getFirst().weights())),
        List.of(),
        parts.subList(1, MODELS));
  }
}
