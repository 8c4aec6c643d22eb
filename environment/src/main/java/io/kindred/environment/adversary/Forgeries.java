package io.kindred.environment.adversary;

import io.kindred.core.peer.Claim;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.MessageValues;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.VectorKernels;
import io.kindred.core.weights.Weights;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** What several behaviours share. */
final class Forgeries {
  private Forgeries() {}

  /** The start plus a multiple of the change since the start. */
  static ModelForgery scaledChange(HostilePeer peer, double factor) {
    return (_, honest) ->
        VectorKernels.mix(
            new Mixture(
                List.of(
                    new MixturePart(peer.start().get(), 1 - factor),
                    new MixturePart(honest, factor))));
  }

  /** The length of a model's change since the start, or of the start where nothing has changed. */
  static double length(Weights start, Weights model) {
    Weights change = VectorKernels.minus(model, start);
    double square = VectorKernels.dot(change, change);
    return Math.sqrt(square > 0 ? square : VectorKernels.dot(start, start));
  }

  /** Replaces every claim of one kind. */
  static ClaimForgery replacing(Claim.Kind kind, UnaryOperator<Object> replacement) {
    return (_, honest, _) ->
        MessageValues.rewrite(
            honest,
            (_, claim, value) ->
                claim.equals(Optional.of(kind)) ? replacement.apply(value) : value);
  }

  /** The peer that a record names as the owner of its claims. */
  static Optional<PeerId> owner(Record holder) {
    return MessageValues.claim(holder, Claim.Kind.OWNER).map(PeerId.class::cast);
  }

  /** How a peer described itself in a message. */
  static Optional<Object> likeness(PeerId of, Optional<Message> heard) {
    List<Object> found = new ArrayList<>();
    heard.ifPresent(
        message ->
            MessageValues.rewrite(
                message,
                (holder, claim, value) -> {
                  if (claim.equals(Optional.of(Claim.Kind.LIKENESS))
                      && owner(holder).equals(Optional.of(of))) {
                    found.add(value);
                  }
                  return value;
                }));
    return found.stream().findFirst();
  }
}
