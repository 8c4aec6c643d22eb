package io.kindred.methods.robust;

import io.kindred.core.compute.PureFunction;
import io.kindred.core.config.Named;

/** Mixes models by a rule. */
@Named("robust/mix")
public record MixRobustly(RobustRule rule, RobustInput input) implements PureFunction {
  @Override
  public RobustMixture apply() {
    return rule.mix(input);
  }

  @Override
  public long operations() {
    return rule.operations(input.others().size() + 1, input.others().getFirst().weights().size());
  }
}
