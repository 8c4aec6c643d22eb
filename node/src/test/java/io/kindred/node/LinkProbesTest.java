package io.kindred.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.PeerId;
import io.kindred.methods.averaging.Dfedavgm;
import io.kindred.methods.contract.TimeoutPolicy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which neighbours a node keeps after it has measured its links. */
@Timeout(60)
class LinkProbesTest {
  @TempDir private Path home;

  @Test
  void aPeerThatDoesNotAnswerIsLeftOutWithoutWaiting() throws Exception {
    Dfedavgm patient = new Dfedavgm(0.5, TimeoutPolicy.of(3_600), 0);
    try (TinyNetwork network = new TinyNetwork(home, 3, 3, patient);
        ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      network.measureLinks(new LinkSettings(3, 4, 0.5, 0));
      network.open(0, 0);
      network.open(1, 0);
      for (int number = 0; number < 2; number++) {
        SortedMap<PeerId, InetSocketAddress> known = network.neighbours(number);
        known.put(
            new PeerId(2),
            new InetSocketAddress(InetAddress.getLoopbackAddress(), silent.getLocalPort()));
        network.node(number).start(known);
      }
      for (Node node : network.nodes()) {
        assertThat(node.awaitDone(50, TimeUnit.SECONDS)).isTrue();
      }
      assertThat(network.log())
          .anySatisfy(
              line -> assertThat(line).contains("link to peer 1").contains("0 % of 3 probes"))
          .anySatisfy(
              line -> assertThat(line).contains("link to peer 2").contains("100 % of 3 probes"));
    }
  }
}
