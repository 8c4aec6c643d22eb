package io.kindred.simulator.invariants;

import io.kindred.core.Effect;
import io.kindred.core.Event;
import io.kindred.core.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Part;
import io.kindred.core.work.Ticket;
import io.kindred.methods.hierarchy.HflMessage;
import io.kindred.simulator.Inspector;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a member hands to its head, or a head to the coordinator, goes into one average at most and
 * once: in one life nobody averages the same contribution again, whatever is doubled, late or sent
 * once more. A contribution is told by who made it, for which attempt at a round and which step.
 */
final class NothingAggregatedTwice implements Inspector {
  private record Contribution(PeerId from, long begunTick, int step) {}

  private final Map<PeerId, Map<Digest, Set<String>>> received = new TreeMap<>();
  private final Map<PeerId, Set<String>> used = new TreeMap<>();

  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    if (event instanceof Event.Started || event instanceof Event.Restored) {
      received.remove(peer);
      used.remove(peer);
    }
    if (event instanceof Event.Received(long _, PeerId from, HflMessage message)) {
      switch (message) {
        case HflMessage.Update update ->
            remember(
                peer,
                update.weights().digest(),
                new Contribution(from, update.session().begunTick(), update.step()));
        case HflMessage.Outcome outcome ->
            remember(
                peer,
                outcome.weights().digest(),
                new Contribution(from, outcome.session().begunTick(), 0));
        case HflMessage.Begin _,
            HflMessage.Told _,
            HflMessage.Assignment _,
            HflMessage.ClusterModel _ -> {}
      }
    }
    for (Tagged<Effect> effect : step.effects()) {
      if (effect.value() instanceof Effect.Compute(long _, Ticket.Mix mix)) {
        check(tick, peer, mix);
      }
    }
  }

  private void remember(PeerId peer, Digest digest, Contribution contribution) {
    received
        .computeIfAbsent(peer, unseen -> new TreeMap<>())
        .computeIfAbsent(digest, unseen -> new TreeSet<>())
        .add(contribution.toString());
  }

  /** Each part uses up one of the contributions with these weights. */
  private void check(long tick, PeerId peer, Ticket.Mix mix) {
    Map<Digest, Set<String>> known = received.get(peer);
    if (known == null) {
      return;
    }
    Set<String> before = used.computeIfAbsent(peer, unseen -> new TreeSet<>());
    for (Part part : mix.mixture().parts()) {
      Set<String> candidates = known.get(part.weights().digest());
      if (candidates != null && candidates.stream().noneMatch(before::add)) {
        throw new Violation(
            getClass(), tick, String.format(Locale.ROOT, "%s averages %s again", peer, candidates));
      }
    }
  }
}
