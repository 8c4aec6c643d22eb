package io.kindred.methods.robust;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Takes the one model that is nearest to its nearest models (Blanchard et al., 2017, "Machine
 * learning with adversaries: Byzantine tolerant gradient descent", section 4): its score is the sum
 * of the squared distances to the n - f - 2 nearest others, with f hostile models of n.
 */
@Named(value = "krum", summary = "takes the one model that is nearest to its nearest models")
public record Krum(
    @Setting(
            doc = "share of the models that may be hostile, rounded up",
            fallback = "0.2",
            min = 0,
            max = 0.5)
        double hostile)
    implements RobustRule {
  @Override
  public RobustMixture mix(RobustInput input) {
    return nearest(input, hostile, 1);
  }

  @Override
  public long operations(int models, long weights) {
    return (long) models * models * weights;
  }

  /** The mean of the models with the lowest scores; of equal scores the first model's is lower. */
  static RobustMixture nearest(RobustInput input, double hostile, int kept) {
    List<Integer> order = byScore(input, hostile);
    double[] shares = new double[order.size()];
    order.stream().limit(kept).forEach(index -> shares[index] = 1.0 / kept);
    return input.withShares(shares);
  }

  private static List<Integer> byScore(RobustInput input, double hostile) {
    PairDistances distances = new PairDistances(input.allWeights());
    int models = input.all().size();
    int neighbours = Math.max(1, models - hostileOf(models, hostile) - 2);
    double[] scores = new double[models];
    for (int i = 0; i < models; i++) {
      int model = i;
      scores[i] =
          Arrays.stream(
                  IntStream.range(0, models)
                      .filter(other -> other != model)
                      .mapToDouble(other -> distances.square(model, other))
                      .sorted()
                      .toArray())
              .limit(neighbours)
              .sum();
    }
    return IntStream.range(0, models)
        .boxed()
        .sorted(Comparator.comparingDouble(index -> scores[index]))
        .toList();
  }

  static int hostileOf(int models, double hostile) {
    return Math.min((int) Math.ceil(hostile * models), models - 1);
  }
}
