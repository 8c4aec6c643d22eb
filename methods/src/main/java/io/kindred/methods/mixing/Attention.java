package io.kindred.methods.mixing;

import io.kindred.core.compute.PureFunction;
import io.kindred.core.config.Named;
import io.kindred.core.weights.VectorKernels;
import io.kindred.core.weights.Weights;
import java.util.ArrayList;
import java.util.List;

/**
 * Shares by nearness of weights (Huang et al., 2021, FedAMP): a neighbour at squared distance t
 * gets the derivative of 1 - exp(-t / sigma), scaled so that all of them together get at most
 * {@code maxShare}. Sigma is relative to the median of the distances, so that it means the same for
 * every model.
 */
@Named("mixing/attention")
public record Attention(Weights own, List<Weights> others, double maxShare, double sigma)
    implements PureFunction {
  /** A share for each of the other models; the own model gets the rest. */
  @Named("mixing/attended")
  public record AttentionShares(List<Double> shares) implements Answer {}

  public Attention {
    others = List.copyOf(others);
  }

  @Override
  public Answer apply() {
    double self = VectorKernels.dot(own, own);
    List<Double> distances = new ArrayList<>();
    for (Weights other : others) {
      distances.add(
          Math.max(
              0, self - 2.0 * VectorKernels.dot(own, other) + VectorKernels.dot(other, other)));
    }
    double median = distances.stream().sorted().toList().get(distances.size() / 2);
    List<Double> shares = new ArrayList<>();
    for (double distance : distances) {
      double nearness = median > 0 ? StrictMath.exp(-distance / (sigma * median)) : 1;
      shares.add(maxShare / others.size() * nearness);
    }
    return new AttentionShares(shares);
  }

  @Override
  public long operations() {
    return 4L * own.size() * others.size();
  }
}
