package io.kindred.simulator.invariants;

import io.kindred.core.peer.Event;
import io.kindred.core.peer.Observation.MixedModel;
import io.kindred.core.peer.Observation.Weighting;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A mixture whose weights follow numbers of neighbours, or the mass of push-sum, has models of
 * neighbours only: of the peers that the mixing peer was last told are its neighbours.
 */
final class OnlyNeighboursAreWeighed extends MixtureListener {
  private final Map<PeerId, List<PeerId>> neighbours = new TreeMap<>();

  OnlyNeighboursAreWeighed(DeliveredModels delivered) {
    super(delivered);
  }

  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    switch (event) {
      case Event.Started started -> neighbours.put(peer, started.neighbours());
      case Event.Restored restored -> neighbours.put(peer, restored.neighbours());
      case Event.NeighboursChanged changed -> neighbours.put(peer, changed.neighbours());
      default -> {}
    }
    super.stepped(tick, peer, event, step);
  }

  @Override
  void mixed(ObservedMixture mixture) {
    Weighting weighting = mixture.mixed().weighting();
    if (weighting != Weighting.DEGREES && weighting != Weighting.MASS) {
      return;
    }
    List<PeerId> known = neighbours.getOrDefault(mixture.peer(), List.of());
    for (MixedModel model : mixture.mixed().models()) {
      if (!known.contains(model.peer())) {
        throw new Violation(
            getClass(),
            mixture.tick(),
            String.format(
                Locale.ROOT,
                "%s mixes a model of %s, but its neighbours are %s",
                mixture.peer(),
                model.peer(),
                known));
      }
    }
  }
}
