package io.kindred.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.PeerId;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node that no other node can connect to. */
@Timeout(60)
class RelayedNodeTest {
  private static final PeerId HIDDEN = new PeerId(2);

  @TempDir private Path home;

  @Test
  void takesPartThroughOneThatItCanConnectTo() throws InterruptedException {
    try (TinyNetwork network = new TinyNetwork(home, 3, 4)) {
      network.hideBehindRelay(2, 0);
      for (int number = 0; number < 3; number++) {
        network.open(number, 0);
      }
      for (int number = 0; number < 3; number++) {
        SortedMap<PeerId, InetSocketAddress> known = network.neighbours(number);
        // No neighbour gets the hidden node's address, so none can connect to it.
        boolean hid = known.remove(HIDDEN) != null;
        network.node(number).start(known, hid ? new TreeSet<>(List.of(HIDDEN)) : new TreeSet<>());
      }
      for (Node node : network.nodes()) {
        assertThat(node.awaitDone(50, TimeUnit.SECONDS)).isTrue();
        assertThat(node.status().exchange().totals().failedSends()).isZero();
        assertThat(node.status().exchange().totals().pulled()).isEqualTo(8);
        assertThat(node.status().misconduct().refused()).isEmpty();
      }
      // Two neighbours send a model in each of four rounds.
      assertThat(network.node(0).status().exchange().relayed().messages())
          .isGreaterThanOrEqualTo(8);
      assertThat(network.node(0).status().exchange().relayed().bytes())
          .isGreaterThan(network.node(2).status().exchange().totals().receivedModel());
      assertThat(network.node(1).status().exchange().relayed().messages()).isZero();
    }
  }

  @Test
  void takesARelayThatOffersItAndAnotherOneWhenThatOneFails() throws InterruptedException {
    try (TinyNetwork network = new TinyNetwork(home, 4, 2)) {
      network.hideBehindRelays(3, List.of(new PeerId(0), new PeerId(1), new PeerId(2)));
      network.relayNothing(1);
      PeerId hidden = new PeerId(3);
      for (int number = 0; number < 4; number++) {
        network.open(number, 0);
      }
      for (int number = 0; number < 4; number++) {
        SortedMap<PeerId, InetSocketAddress> known = network.neighbours(number);
        boolean hid = known.remove(hidden) != null;
        network.node(number).start(known, hid ? new TreeSet<>(List.of(hidden)) : new TreeSet<>());
      }
      for (Node node : network.nodes()) {
        assertThat(node.awaitDone(50, TimeUnit.SECONDS)).isTrue();
      }
      assertThat(network.node(1).status().exchange().relayed().messages()).isZero();
      int relay = network.node(0).status().exchange().relayed().messages() > 0 ? 0 : 2;
      assertThat(network.node(relay).status().exchange().relayed().messages()).isPositive();

      network.node(relay).close();

      int other = 2 - relay;
      assertThat(
              Until.comesTrue(
                  () ->
                      network.log().stream()
                          .anyMatch(
                              line ->
                                  line.equals(
                                      "peer %d relays messages to this node".formatted(other)))))
          .isTrue();
    }
  }
}
