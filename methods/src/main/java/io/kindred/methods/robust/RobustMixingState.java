package io.kindred.methods.robust;

import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.MessageValues;
import io.kindred.core.peer.Observation.MixedModel.Treatment;
import io.kindred.core.peer.Observation.ModelsMixed;
import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Weights;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What {@link RobustMixing} remembers.
 *
 * @param recognized the digests of the newest models of each sender
 * @param from the weights that the newest training began with
 * @param update the newest training
 * @param bases the models that were sent since the last mixture
 * @param mixedSinceSent whether a mixture was computed since the bases were sent
 * @param pending mixtures that are being computed, by ticket
 * @param treated what became of the newest mixed model of each sender
 */
@Buildable
public record RobustMixingState(
    SortedMap<PeerId, List<Digest>> recognized,
    Optional<Weights> from,
    Optional<RobustInput.Update> update,
    List<Weights> bases,
    boolean mixedSinceSent,
    SortedMap<Long, PendingMixture> pending,
    SortedMap<PeerId, MixedUnderRule> treated) {
  static final RobustMixingState NONE =
      new RobustMixingState(
          new TreeMap<>(),
          Optional.empty(),
          Optional.empty(),
          List.of(),
          false,
          new TreeMap<>(),
          new TreeMap<>());

  /**
   * A mixture that is being computed.
   *
   * @param senders of the received models, in the order of the rule's input
   * @param mixed the mixture, while its loss is compared with that of the own model
   * @param observed what the method reports about the mixture; reported once it is known what
   *     became of the models
   */
  public record PendingMixture(
      Optional<Weights> own,
      List<PeerId> senders,
      Optional<Weights> mixed,
      Optional<ModelsMixed> observed) {
    public PendingMixture {
      senders = List.copyOf(senders);
    }
  }

  /** What became of a model. */
  public record MixedUnderRule(double weight, Treatment treatment) {
    static final MixedUnderRule DROPPED = new MixedUnderRule(0, Treatment.DROPPED);
  }

  public RobustMixingState {
    bases = List.copyOf(bases);
  }

  /** The peers that sent a model with this digest. */
  List<PeerId> senders(Digest digest) {
    List<PeerId> senders = new ArrayList<>();
    recognized.forEach(
        (sender, digests) -> {
          if (digests.contains(digest)) {
            senders.add(sender);
          }
        });
    return senders;
  }

  RobustMixingState recognizing(PeerId sender, List<Digest> digests, int most) {
    if (digests.isEmpty()) {
      return this;
    }
    List<Digest> newest = new ArrayList<>(recognized.getOrDefault(sender, List.of()));
    newest.removeAll(digests);
    newest.addAll(digests);
    SortedMap<PeerId, List<Digest>> next = new TreeMap<>(recognized);
    next.put(sender, List.copyOf(newest.subList(Math.max(0, newest.size() - most), newest.size())));
    return RobustMixingStateBuilder.from(this).recognized(next).build();
  }

  /** Remembers where a training begins, and the models that are sent. */
  RobustMixingState observing(Effect effect, int mostBases) {
    return switch (effect) {
      case Effect.Compute(long _, Ticket.Train train)
          when train.model() != Ticket.Train.TEMPORARY ->
          RobustMixingStateBuilder.from(this).from(Optional.of(train.from())).build();
      case Effect.Send send -> sending(MessageValues.weights(send.message()), mostBases);
      default -> this;
    };
  }

  private RobustMixingState sending(List<Weights> sent, int most) {
    List<Weights> next = new ArrayList<>(mixedSinceSent ? List.of() : bases);
    sent.stream().filter(each -> !next.contains(each)).forEach(next::add);
    return sent.isEmpty()
        ? this
        : RobustMixingStateBuilder.from(this)
            .bases(next.subList(Math.max(0, next.size() - most), next.size()))
            .mixedSinceSent(false)
            .build();
  }

  RobustMixingState trained(Result.Trained trained) {
    return RobustMixingStateBuilder.from(this)
        .update(from.map(start -> new RobustInput.Update(start, trained.weights())))
        .build();
  }

  /** The mixture of a ticket that is being computed. */
  PendingMixture pending(long ticket) {
    return Objects.requireNonNull(pending.get(ticket));
  }

  RobustMixingState withPending(long ticket, PendingMixture mixture) {
    SortedMap<Long, PendingMixture> next = new TreeMap<>(pending);
    next.put(ticket, mixture);
    return RobustMixingStateBuilder.from(this).pending(next).mixedSinceSent(true).build();
  }

  RobustMixingState withoutPending(long ticket) {
    SortedMap<Long, PendingMixture> next = new TreeMap<>(pending);
    next.remove(ticket);
    return RobustMixingStateBuilder.from(this).pending(next).build();
  }

  RobustMixingState withoutPending() {
    return pending.isEmpty()
        ? this
        : RobustMixingStateBuilder.from(this).pending(new TreeMap<>()).build();
  }

  RobustMixingState withTreated(SortedMap<PeerId, MixedUnderRule> next) {
    return RobustMixingStateBuilder.from(this).treated(next).build();
  }
}
