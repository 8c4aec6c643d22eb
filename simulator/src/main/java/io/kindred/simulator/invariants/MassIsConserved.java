package io.kindred.simulator.invariants;

import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Observation.Weighting;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.methods.contract.Conduct;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import io.kindred.simulator.invariants.DeliveredModels.Delivered;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Push-sum neither creates nor loses mass where a message arrives: a received body counts with the
 * mass that its sender declares for each of its parts, a peer keeps its own part and those of
 * missing neighbours, and the mass that it declares next is the sum of both. Hostile peers may declare anything.
 */
final class MassIsConserved extends MixtureListener {
  private static final double TOLERANCE = 1e-6;

  private record Sent(int round, double mass) {}

  private final Conduct.Hostility hostility;
  private final Map<PeerId, Sent> sent = new TreeMap<>();
  private final Map<PeerId, Sent> expected = new TreeMap<>();

  MassIsConserved(DeliveredModels delivered, Conduct.Hostility hostility) {
    super(delivered);
    this.hostility = hostility;
  }

  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    if (hostility.isHostile(peer)) {
      return;
    }
    super.stepped(tick, peer, event, step);
    for (Tagged<Effect> effect : step.effects()) {
      if (effect.value() instanceof Effect.Send(PeerId _, NeighbourUpdate update)) {
        declared(tick, peer, new Sent(update.round(), update.update().models().getFirst().share()));
      }
    }
  }

  @Override
  void restarted(PeerId peer) {
    sent.remove(peer);
    expected.remove(peer);
  }

  private void declared(long tick, PeerId peer, Sent now) {
    sent.put(peer, now);
    Sent next = expected.get(peer);
    if (next != null && now.round() > next.round()) {
      expected.remove(peer);
      if (!isNear(now.mass(), next.mass())) {
        throw new Violation(
            getClass(),
            tick,
            String.format(
                Locale.ROOT,
                "%s declares a mass of %s in round %d, but has %s",
                peer,
                now.mass(),
                now.round(),
                next.mass()));
      }
    }
  }

  @Override
  void mixed(ObservedMixture mixture) {
    if (mixture.mixed().weighting() != Weighting.MASS) {
      return;
    }
    double own = mixture.mixed().ownWeight();
    List<ReceivedPart> parts = receivedParts(mixture);
    if (parts.stream().anyMatch(each -> each.messages().size() != 1)) {
      // Copies of a message with several masses: which of them arrived first is not known here.
      expected.remove(mixture.peer());
      return;
    }
    double arrived = parts.stream().mapToDouble(MassIsConserved::massOf).sum();
    Sent before = sent.get(mixture.peer());
    double whole =
        parts.isEmpty() && before != null ? before.mass() : arrived / Math.max(1e-12, 1 - own);
    for (ReceivedPart each : parts) {
      double mass = massOf(each);
      if (!isNear(each.model().weight() * whole, mass)) {
        throw violation(
            mixture,
            String.format(
                Locale.ROOT,
                "counts %s with a mass of %s, but received %s",
                each.model().peer(),
                each.model().weight() * whole,
                mass));
      }
    }
    if (before != null && before.round() == mixture.mixed().round()) {
      checkKept(mixture, own * whole / before.mass(), parts.size());
      expected.put(mixture.peer(), new Sent(before.round(), whole));
    }
  }

  private static double massOf(ReceivedPart part) {
    Delivered message = part.messages().getFirst();
    return message.share() / (1 + message.degree());
  }

  /**
   * Of 1 + d parts the peer keeps one and one for each missing neighbour; d is the only unknown.
   */
  private void checkKept(ObservedMixture mixture, double kept, int arrived) {
    if (arrived == 0) {
      return;
    }
    double parts = arrived / Math.max(1e-12, 1 - kept);
    boolean whole = Math.abs(parts - Math.rint(parts)) <= TOLERANCE * parts;
    if (!whole || parts < arrived + 1 - TOLERANCE) {
      throw violation(
          mixture,
          String.format(
              Locale.ROOT, "keeps %s of its own mass, with %d neighbours' models", kept, arrived));
    }
  }

  private Violation violation(ObservedMixture mixture, String problem) {
    return new Violation(getClass(), mixture.tick(), mixture.peer() + " " + problem);
  }
}
