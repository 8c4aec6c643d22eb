package io.kindred.environment.adversary;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import java.util.Optional;

/**
 * Trains samples with a trigger to belong to a target class, and may multiply the change of the
 * model (pixel pattern: Gu et al., 2019, "BadNets", section 4; in federated learning: Bagdasaryan
 * et al., 2020). Reports show how often honest peers put a test sample with the trigger into the
 * target class.
 */
@Named(value = "back-door", summary = "trains samples with a trigger to belong to a target class")
public record BackDoor(
    @Setting(doc = "the class that samples with the trigger shall get", fallback = "0", min = 0)
        int target,
    @Setting(
            doc = "share of the own training samples that carry the trigger",
            fallback = "0.5",
            above = 0,
            max = 1)
        double share,
    @Setting(
            doc =
                "side of the trigger, a square in the lower right corner of a picture, in pixels;"
                    + " without pictures the number of last features that it covers",
            fallback = "3",
            min = 1)
        int side,
    @Setting(doc = "value of the features under the trigger", fallback = "1", min = -1e3, max = 1e3)
        double value,
    @Setting(doc = "factor of the model's change", fallback = "1", above = 0) double factor)
    implements Behaviour {
  @Override
  public Optional<Poison> poison() {
    return Optional.of(new Poison.Trigger(target, share, side, value));
  }

  @Override
  public Optional<ModelForgery> models(HostilePeer peer) {
    return factor == 1 ? Optional.empty() : Optional.of(Forgeries.scaledChange(peer, factor));
  }
}
