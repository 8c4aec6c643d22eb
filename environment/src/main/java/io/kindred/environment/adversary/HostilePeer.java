package io.kindred.environment.adversary;

import io.kindred.core.peer.PeerId;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Weights;
import java.util.List;
import java.util.function.Supplier;

/**
 * A hostile peer and what it knows: its accomplices and the common initial weights.
 *
 * @param accomplices all hostile peers, itself among them, in the order of their numbers
 */
public record HostilePeer(
    PeerId self, List<PeerId> accomplices, RandomStreams streams, Supplier<Weights> start) {
  public HostilePeer {
    accomplices = List.copyOf(accomplices);
  }
}
