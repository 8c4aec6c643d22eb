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
 * neighbours only: of the peers that were the neighbours of the mixing peer when it began to mix in
 * this round. With several models a peer mixes in several steps, between which neighbours change.
 */
final class OnlyNeighboursAreWeighed extends MixtureListener {
  private record FirstMixture(int round, List<PeerId> neighbours) {}

  private final Map<PeerId, List<PeerId>> neighbours = new TreeMap<>();
  private final Map<PeerId, FirstMixture> first = new TreeMap<>();

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
  void restarted(PeerId peer) {
    first.remove(peer);
  }

  @Override
  void mixed(ObservedMixture mixture) {
    Weighting weighting = mixture.mixed().weighting();
    if (weighting != Weighting.DEGREES && weighting != Weighting.MASS) {
      return;
    }
    PeerId peer = mixture.peer();
    int round = mixture.mixed().round();
    List<PeerId> now = neighbours.getOrDefault(peer, List.of());
    List<PeerId> known =
        first
            .compute(
                peer,
                (self, begun) ->
                    begun == null || begun.round() != round ? new FirstMixture(round, now) : begun)
            .neighbours();
    for (MixedModel model : mixture.mixed().models()) {
      if (!known.contains(model.peer())) {
        throw new Violation(
            getClass(),
            mixture.tick(),
            String.format(
                Locale.ROOT,
                "%s mixes a model of %s, but its neighbours were %s when it began to mix",
                peer,
                model.peer(),
                known));
      }
    }
  }
}
