package io.kindred.simulator.invariants;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.MixturePart;
import io.kindred.methods.hfl.HflMessage;
import io.kindred.methods.hfl.RoundAttempt;
import io.kindred.simulator.StepListener;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A contribution from a member to its head, or from a head to the coordinator, goes into one
 * average at most, and once: within one incarnation no peer averages the same contribution again,
 * even if a message is duplicated, late or sent again. A contribution is identified by its sender,
 * its attempt at a round and its step.
 */
final class NothingAggregatedTwice implements StepListener {
  /**
   * Stands for the step of an outcome, because a deputy may send the same weights in both roles.
   */
  private static final int OUTCOME = -1;

  /** Stands for the step of a region's outcome; cycles of a region are below the outcome. */
  private static final int REGION_OUTCOME = Integer.MIN_VALUE;

  private record Contribution(PeerId from, RoundAttempt attempt, int step) {}

  private final Map<PeerId, Map<Digest, Set<String>>> received = new TreeMap<>();
  private final Map<PeerId, Set<String>> aggregated = new TreeMap<>();

  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    if (event instanceof Event.Started || event instanceof Event.Restored) {
      received.remove(peer);
      aggregated.remove(peer);
    }
    if (event instanceof Event.Received(long _, PeerId from, HflMessage message)) {
      switch (message) {
        case HflMessage.Update update ->
            recordReceived(
                peer,
                update.weights().digest(),
                new Contribution(from, update.roundAttempt(), update.step()));
        case HflMessage.Outcome outcome ->
            recordReceived(
                peer,
                outcome.weights().digest(),
                new Contribution(from, outcome.roundAttempt(), OUTCOME));
        case HflMessage.RegionUpdate update ->
            recordReceived(
                peer,
                update.average().weights().digest(),
                new Contribution(from, update.roundAttempt(), OUTCOME - update.cycle()));
        case HflMessage.RegionOutcome outcome ->
            recordReceived(
                peer,
                outcome.weights().digest(),
                new Contribution(from, outcome.roundAttempt(), REGION_OUTCOME));
        case HflMessage.Begin _,
            HflMessage.RegionModel _,
            HflMessage.SubmitReport _,
            HflMessage.Assignment _,
            HflMessage.Behind _,
            HflMessage.TakeOver _,
            HflMessage.ClusterDone _,
            HflMessage.FinalModel _,
            HflMessage.AskForModel _,
            HflMessage.Lease _,
            HflMessage.NewerTerm _,
            HflMessage.VoteRequest _,
            HflMessage.Vote _,
            HflMessage.ClusterModel _ -> {}
      }
    }
    for (Tagged<Effect> effect : step.effects()) {
      if (effect.value() instanceof Effect.Compute(long _, Ticket.Mix mix)) {
        check(tick, peer, mix);
      }
    }
  }

  private void recordReceived(PeerId peer, Digest digest, Contribution contribution) {
    received
        .computeIfAbsent(peer, unseen -> new TreeMap<>())
        .computeIfAbsent(digest, unseen -> new TreeSet<>())
        .add(contribution.toString());
  }

  /** Each part of a mixture consumes one of the contributions with its weights. */
  private void check(long tick, PeerId peer, Ticket.Mix mix) {
    Map<Digest, Set<String>> known = received.get(peer);
    if (known == null) {
      return;
    }
    Set<String> before = aggregated.computeIfAbsent(peer, unseen -> new TreeSet<>());
    for (MixturePart part : mix.mixture().parts()) {
      Set<String> candidates = known.get(part.weights().digest());
      if (candidates != null && candidates.stream().noneMatch(before::add)) {
        throw new Violation(
            getClass(), tick, String.format(Locale.ROOT, "%s averages %s again", peer, candidates));
      }
    }
  }
}
