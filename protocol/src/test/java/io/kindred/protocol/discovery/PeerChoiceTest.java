package io.kindred.protocol.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.overlay.Candidate;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Twelve peers in four clusters: peers 4 and 8 are like peer 0. */
class PeerChoiceTest {
  private DiscoveryFixture network;

  @BeforeEach
  void peersThatKnowEachOther() {
    network = new DiscoveryFixture(12, 31, DiscoveryFixture.settings());
    for (int round = 0; round < 8; round++) {
      network.round(1);
    }
  }

  private List<Integer> drawn(int wanted, double temperature) {
    return drawn(wanted, new SimilarityDraw(temperature, false));
  }

  private List<Integer> drawn(int wanted, SimilarityDraw draw) {
    network.notified.clear();
    network.notify(0, new DiscoveryLocalMessage.FindSimilar(1, wanted, draw));
    return ((DiscoveryLocalMessage.Similar) network.notified.getLast())
        .candidates().stream().map(each -> (int) each.peer().number()).toList();
  }

  /** A model that was pulled, and is what its owner advertised. */
  private void check(int peer) {
    network.notify(
        0, new DiscoveryLocalMessage.ModelPulled(new PeerId(peer), 1, network.sketches.get(peer)));
  }

  @Test
  void aLowTemperatureDrawsTheSimilarPeersOnly() {
    check(4);
    check(8);
    for (int i = 0; i < 50; i++) {
      assertThat(drawn(2, 0.02)).containsExactlyInAnyOrder(4, 8);
    }
  }

  @Test
  void aHighTemperatureDrawsEveryKnownPeerInTime() {
    TreeSet<Integer> all = new TreeSet<>();
    for (int i = 0; i < 200; i++) {
      all.addAll(drawn(2, 1e6));
    }
    assertThat(all).hasSize(11);
  }

  @Test
  void eachDrawIsANewOne() {
    TreeSet<String> draws = new TreeSet<>();
    for (int i = 0; i < 20; i++) {
      draws.add(drawn(3, 1e6).toString());
    }
    assertThat(draws).hasSizeGreaterThan(5);
  }

  @Test
  void withoutATemperatureTheAnswerIsTheSameEachTime() {
    assertThat(network.similar(0, 3)).isEqualTo(network.similar(0, 3));
    assertThat(drawn(3, 0)).isEqualTo(network.similar(0, 3));
  }

  /** Of checked peers, 4 and 8 are like the peer and 1 is the third: peers below it stay out. */
  @Test
  void onlyCheckedOwnersDecideWhoIsTooUnlike() {
    SimilarityDraw strict = new SimilarityDraw(0.1, false, 1, List.of());
    check(4);
    check(8);
    // Two checked owners are too few, so half of the places go to unchecked ones.
    assertThat(drawn(4, strict)).hasSize(4).contains(4, 8);
    check(1);
    float third = network.sketches.get(0).cosine(network.sketches.get(1));
    for (int i = 0; i < 20; i++) {
      List<Integer> drawn = drawn(11, strict);
      assertThat(drawn).contains(1, 4, 8);
      assertThat(drawn)
          .allMatch(each -> network.sketches.get(0).cosine(network.sketches.get(each)) >= third);
    }
  }

  /** Peer 5 is unlike the peer; the method has measured that its model is the most similar one. */
  @Test
  void aMeasuredCosineCountsForEntriesOfTheView() {
    for (int peer = 1; peer < 12; peer++) {
      check(peer);
    }
    List<Candidate> measured = List.of(new Candidate(new PeerId(5), 1));
    for (int i = 0; i < 20; i++) {
      assertThat(drawn(1, new SimilarityDraw(1e-3, false, 0, measured))).containsExactly(5);
      assertThat(drawn(1, new SimilarityDraw(1e-3, false))).doesNotContain(5);
    }
  }

  /** Half of the places, however similar unchecked peers claim to be. */
  @Test
  void uncheckedOwnersTakeABoundedNumberOfPlacesInADrawToo() {
    for (int i = 0; i < 20; i++) {
      assertThat(drawn(4, 0.1)).hasSize(2);
    }
    for (int peer : List.of(1, 2, 3)) {
      check(peer);
    }
    for (int i = 0; i < 20; i++) {
      List<Integer> drawn = drawn(4, 0.1);
      assertThat(drawn).hasSize(4);
      assertThat(drawn.stream().filter(each -> each > 3).count()).isLessThanOrEqualTo(2);
    }
  }
}
