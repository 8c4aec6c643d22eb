package io.kindred.methods.discovery;

import io.kindred.core.config.Named;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.PeerLayer;
import io.kindred.methods.contract.PeerContext;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.FindSimilar;
import java.util.Optional;

/** Takes the neighbours of the topology, without any search. */
@Named(
    value = "neighbours",
    summary = "draws from the neighbours of the topology; sends no message to find peers")
public record NeighbourDiscovery() implements PeerDiscovery {
  @Override
  public Optional<PeerLayer<?>> layer(PeerContext context) {
    return Optional.of(
        new PeerLayer<>(
            Component.DISCOVERY,
            new NeighbourDraw(context.self(), context.streams()),
            NeighbourDraw.State.class));
  }

  @Override
  public Effect ask(Request request) {
    return new Effect.Notify(
        Component.DISCOVERY, new FindSimilar(request.number(), request.wanted()));
  }

  @Override
  public boolean answersAtOnce() {
    return true;
  }
}
