package io.kindred.protocol.overlay;

import io.kindred.core.peer.Effect;
import java.util.List;

/**
 * What a step of a sub-protocol leads to.
 *
 * @param state the sub-protocol's next state
 * @param effects effects on the outside, in their order
 * @param events events for other parts of the overlay, which are handled in this order and before
 *     anything else
 */
public record StepOutcome<S>(S state, List<Effect> effects, List<OverlayEvent> events) {
  public StepOutcome {
    effects = List.copyOf(effects);
    events = List.copyOf(events);
  }
}
