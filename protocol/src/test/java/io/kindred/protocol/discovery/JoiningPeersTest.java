package io.kindred.protocol.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.Event;
import io.kindred.core.peer.PeerId;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.ModelTrained;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.Search;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.SearchFinished;
import io.kindred.protocol.discovery.ViewMessage.ExchangePush;
import io.kindred.protocol.discovery.ViewMessage.ExchangeReply;
import io.kindred.protocol.discovery.ViewMessage.ExchangeRequest;
import io.kindred.protocol.overlay.Candidate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Peers that come to a network of 31, and what one partner can do to a view. Clusters: modulo 4.
 */
class JoiningPeersTest {
  private static final int NEWCOMER = 31;

  private DiscoveryFixture network;

  @BeforeEach
  void aNetworkThatTheNewcomerHasNotJoined() {
    network = new DiscoveryFixture(32, 71, DiscoveryFixture.settings());
    network.states.set(NEWCOMER, network.machines.get(NEWCOMER).initial());
    network.down[NEWCOMER] = true;
    for (int round = 0; round < 2 * network.settings.expiry() + 5; round++) {
      network.round(1);
    }
    for (int peer = 0; peer < NEWCOMER; peer++) {
      assertThat(network.entries(peer)).doesNotContain(NEWCOMER);
    }
  }

  private void introducedTo(int peer) {
    network.down[NEWCOMER] = false;
    network.step(NEWCOMER, new Event.Started(0, List.of(new PeerId(peer))));
  }

  /** Peers of its own cluster, of the next one, and of the others. */
  @ParameterizedTest
  @ValueSource(ints = {3, 0, 13, 30})
  void aPeerThatKnowsAnyOnePeerFindsItsClusterAndIsFound(int known) {
    introducedTo(known);
    for (int round = 0; round < 8; round++) {
      network.round(1);
    }
    assertThat(network.entries(NEWCOMER).subList(0, 6)).allMatch(other -> other % 4 == 3);
    long views =
        network.states.stream()
            .filter(
                state ->
                    state.entries().stream().anyMatch(entry -> entry.peer().number() == NEWCOMER))
            .count();
    assertThat(views).isGreaterThanOrEqualTo(5);
  }

  /** It has no model and no view yet, so the walk begins at the one peer that it knows. */
  @Test
  void aNewcomerFindsTheClusterOfItsModelByASearchBeforeItsFirstRound() {
    introducedTo(8);
    network.notified.clear();
    network.notify(NEWCOMER, new Search(5, network.sketches.get(NEWCOMER), 4));
    network.deliver();
    SearchFinished finished =
        network.notified.stream()
            .filter(SearchFinished.class::isInstance)
            .map(SearchFinished.class::cast)
            .findFirst()
            .orElseThrow();
    assertThat(finished.candidates()).hasSize(4);
    assertThat(finished.candidates())
        .extracting(Candidate::peer)
        .allMatch(peer -> peer.number() % 4 == 3);
    assertThat(finished.asked()).isLessThanOrEqualTo(network.settings.searchBudget());
  }

  /** However many exchanges a partner begins, it is answered twice and pushes two bounded lists. */
  @Test
  void onePartnerReplacesABoundedShareOfAViewInARound() {
    int liar = 4;
    List<PeerId> invented = new ArrayList<>();
    network.log.clear();
    for (int number = 900; number < 910; number++) {
      network.receive(0, liar, new ExchangeRequest(number, Optional.empty(), List.of(), List.of()));
      List<AdvertisedModel> models = new ArrayList<>();
      for (int i = 0; i < network.settings.models(); i++) {
        PeerId peer = new PeerId(1_000 + 10L * number + i);
        invented.add(peer);
        models.add(new AdvertisedModel(new Descriptor(peer, 1, network.sketches.get(0)), 0));
      }
      network.receive(0, liar, new ExchangePush(number, models));
    }
    assertThat(network.log.stream().filter(sent -> sent.message() instanceof ExchangeReply))
        .hasSize(2);
    assertThat(
            network.states.get(0).entries().stream()
                .filter(entry -> invented.contains(entry.peer())))
        .hasSizeBetween(1, 2 * network.settings.models());
    // In its next round the peer answers the partner again.
    network.notify(0, new ModelTrained(2, network.sketches.get(0)));
    network.log.clear();
    network.receive(0, liar, new ExchangeRequest(950, Optional.empty(), List.of(), List.of()));
    assertThat(network.log).hasSize(1);
  }
}
