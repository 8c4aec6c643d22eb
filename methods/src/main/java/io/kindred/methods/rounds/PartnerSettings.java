package io.kindred.methods.rounds;

import io.kindred.core.config.Setting;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.PeerLayer;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.discovery.NeighbourDiscovery;
import io.kindred.methods.discovery.PeerDiscovery;
import io.kindred.methods.discovery.PeerSearch;
import io.kindred.protocol.discovery.SimilarityDraw;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** With which peers a peer exchanges updates in a round. */
public record PartnerSettings(
    @Setting(
            doc =
                "how a peer finds the peers that it exchanges models with in a round: `neighbours`,"
                    + " all its neighbours in the topology; any other discovery, its `k` answers",
            fallback = "neighbours")
        PeerDiscovery discovery,
    @Setting(
            doc =
                "number K of peers that a peer asks its `discovery` for in a round; without effect"
                    + " with `neighbours`",
            fallback = "10",
            min = 1,
            max = 1e6)
        int k) {
  /** All neighbours in the topology. */
  public static final PartnerSettings NEIGHBOURS =
      new PartnerSettings(new NeighbourDiscovery(), 10);

  /** Whether a search finds the peers of each round, in place of the topology. */
  public boolean isSearched() {
    return !(discovery instanceof NeighbourDiscovery);
  }

  /** The machines of a peer with searched partners, bottom of the stack first. */
  public <M extends LocalState> List<PeerLayer<?>> layers(
      RoundAlgorithm<M> algorithm, RoundSettings settings) {
    PeerContext context = algorithm.context();
    PeerSearch search =
        new PeerSearch(
            discovery,
            context,
            Optional::empty,
            context.atMostOthers(k),
            settings.timeout(),
            SimilarityDraw.NEAREST);
    List<PeerLayer<?>> layers = new ArrayList<>();
    discovery.layer(context).ifPresent(layers::add);
    layers.add(
        new PeerLayer<>(
            Component.METHOD,
            new Gossip<>(algorithm, settings.timeout(), settings.staleness(), Optional.of(search)),
            GossipState.class));
    return layers;
  }

  /** A line about a K that is above the number of other peers. */
  public List<String> warnings(int peers) {
    int others = Math.max(0, peers - 1);
    return !isSearched() || k <= others
        ? List.of()
        : List.of(
            "'method.k': "
                + k
                + " peers in a round, but a peer has only "
                + others
                + " other peers and asks all of them; choose at most "
                + others);
  }
}
