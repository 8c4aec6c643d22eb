package io.kindred.protocol.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.ModelPulled;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.PeerUnreachable;
import io.kindred.protocol.discovery.ViewEntry.Source;
import io.kindred.protocol.discovery.ViewMessage.ExchangePush;
import io.kindred.protocol.discovery.ViewMessage.ExchangeRequest;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a view learns from models that were pulled, and from models that could not be pulled. */
class PulledModelsTest {
  /** Versions are ticks of the owner's clock, so they do not fit into 32 bits. */
  private static final long NOW = 1L << 50;

  private static DiscoveryFixture network() {
    DiscoveryFixture network = new DiscoveryFixture(12, 2, DiscoveryFixture.settings());
    for (int round = 0; round < 5; round++) {
      network.round(1);
    }
    return network;
  }

  private static void claim(DiscoveryFixture network, int number, long version, Sketch sketch) {
    Descriptor claim = new Descriptor(new PeerId(5), version, sketch);
    network.receive(0, 5, new ExchangeRequest(number, Optional.of(claim), List.of(), List.of()));
  }

  private static void relay(DiscoveryFixture network, int number, long version, Sketch sketch) {
    Descriptor claim = new Descriptor(new PeerId(5), version, sketch);
    network.receive(0, 9, new ExchangeRequest(number, Optional.empty(), List.of(), List.of()));
    network.receive(0, 9, new ExchangePush(number, List.of(new AdvertisedModel(claim, 0))));
  }

  private static void pulled(DiscoveryFixture network, long version, Sketch sketch) {
    network.notify(0, new ModelPulled(new PeerId(5), version, sketch));
  }

  /** The owner trained on while its reply was on its way. */
  @Test
  void aPulledModelDoesNotReplaceANewerOneOfItsOwner() {
    DiscoveryFixture network = network();
    Sketch newer = DiscoveryFixture.sketch(network.settings, 1, 99);
    claim(network, 70, NOW + 2, newer);
    pulled(network, NOW + 1, network.sketches.get(5));
    assertThat(network.entry(0, 5).descriptor())
        .isEqualTo(new Descriptor(new PeerId(5), NOW + 2, newer));
    pulled(network, NOW + 3, network.sketches.get(5));
    assertThat(network.entry(0, 5).descriptor().version()).isEqualTo(NOW + 3);
  }

  @Test
  void aRelayCannotKeepAFalseSketchInTheViewByAnInventedVersion() {
    DiscoveryFixture network = network();
    relay(network, 70, NOW + 9, network.sketches.get(0));
    assertThat(network.entry(0, 5).descriptor().version()).isEqualTo(NOW + 9);
    pulled(network, NOW + 1, network.sketches.get(5));
    assertThat(network.entry(0, 5).descriptor())
        .isEqualTo(new Descriptor(new PeerId(5), NOW + 1, network.sketches.get(5)));
    relay(network, 71, NOW + 9, network.sketches.get(5));
    pulled(network, NOW + 1, network.sketches.get(5));
    assertThat(network.entry(0, 5).descriptor().version())
        .as("a newer model that agrees with the pulled one")
        .isEqualTo(NOW + 9);
    assertThat(network.counted).isEmpty();
  }

  @Test
  void aPeerThatCouldNotBePulledFromLeavesTheViewUntilItIsHeardOf() {
    DiscoveryFixture network = network();
    int mate = network.similar(0, 4).getFirst();
    network.notify(0, new PeerUnreachable(new PeerId(mate)));
    assertThat(network.entries(0)).doesNotContain(mate);
    assertThat(network.states.get(0).contacts())
        .noneMatch(contact -> contact.peer().number() == mate);
    assertThat(network.states.get(0).distrusted())
        .extracting(Distrust::reason)
        .containsExactly(Distrust.Reason.UNREACHABLE);
    network.notify(0, new ModelPulled(new PeerId(mate), 1, network.sketches.get(mate)));
    assertThat(network.entries(0)).as("its model arrived after all").contains(mate);
    assertThat(network.states.get(0).distrusted()).isEmpty();
  }

  /**
   * A peer that runs knows that its view is in order, and keeps the order for a model that confirms
   * an entry. After a restart the peer does not know it.
   */
  @Test
  void aPulledModelChangesTheSameAfterARestart() {
    DiscoveryFixture network = network();
    int checked = 0;
    for (int pull = 0; pull < 3; pull++) {
      for (ViewEntry each : network.states.get(0).entries()) {
        int owner = (int) each.peer().number();
        DiscoveryState before = network.states.get(0);
        DiscoveryState restarted =
            DiscoveryStateBuilder.from(before).entries(List.copyOf(before.entries())).build();
        ModelPulled pulled =
            new ModelPulled(each.peer(), each.descriptor().version(), network.sketches.get(owner));
        network.notify(0, pulled);
        assertThat(new TrustRules(network.machines.get(0).context()).pulled(restarted, pulled))
            .isEqualTo(Step.of(network.states.get(0)));
        assertThat(network.entry(0, owner))
            .isEqualTo(
                new ViewEntry(each.descriptor(), 0, each.similarity(), Source.COMPUTED, true, 0));
        checked += each.checked() ? 1 : 0;
      }
      network.round(1);
    }
    assertThat(checked).as("pulls that confirm a checked entry").isGreaterThan(5);
  }
}
