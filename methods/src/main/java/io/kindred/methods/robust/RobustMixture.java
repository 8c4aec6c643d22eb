package io.kindred.methods.robust;

import io.kindred.core.compute.PureFunction;
import io.kindred.core.config.Named;
import io.kindred.core.peer.Observation.MixedModel.Treatment;
import io.kindred.core.weights.Weights;
import java.util.List;

/**
 * A mixture as a rule computed it.
 *
 * @param contributions what became of each received model, in the order of the input
 */
@Named("robust/mixture")
public record RobustMixture(Weights weights, List<Contribution> contributions)
    implements PureFunction.Answer {
  /**
   * What became of a received model.
   *
   * @param weight its share in the mixture; rules that choose coordinate by coordinate give every
   *     model an equal share
   */
  public record Contribution(double weight, Treatment treatment) {}

  public RobustMixture {
    contributions = List.copyOf(contributions);
  }
}
