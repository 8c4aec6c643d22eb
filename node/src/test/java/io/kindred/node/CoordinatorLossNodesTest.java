package io.kindred.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.methods.contract.Method;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.storage.config.ConfigFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes whose coordinator crashes; a lease has two seconds. */
@Timeout(120)
class CoordinatorLossNodesTest {
  private static final int CLIENTS = 4;
  private static final int SERVER = CLIENTS;
  private static final int ROUNDS = 6;

  private static final Method METHOD =
      ExperimentFile.of(
              ConfigFile.parse(
                  "hfl",
                  "{method: {name: hfl, feature: skew, start: global, globalSeconds: 0.2,"
                      + " clusters: {count: 2, least: 1}, standby: {leaseSeconds: 2},"
                      + " timeout: {seconds: 5}}, dataset: glyphs, model: softmax, peers: 4}"),
              Optional.empty(),
              List.of())
          .experiment()
          .method();

  @TempDir private Path home;

  private static int round(TinyNetwork network, int number) {
    return network.node(number).status().exchange().totals().round();
  }

  private static void awaitDone(Node node) throws InterruptedException {
    assertThat(node.awaitDone(60, TimeUnit.SECONDS)).isTrue();
    assertThat(node.failure()).isEmpty();
  }

  @Test
  void clientsReplaceACoordinatorThatCrashedAndItFollowsWhenItReturns() throws Exception {
    try (TinyNetwork network = new TinyNetwork(home, CLIENTS, ROUNDS, METHOD)) {
      network.measureLinks(new LinkSettings(2, 1, 1, 0));
      network.start();
      assertThat(Until.comesTrue(() -> round(network, 0) >= 2)).isTrue();

      network.node(SERVER).crash();
      int last = round(network, 0);

      for (int client = 0; client < CLIENTS; client++) {
        awaitDone(network.node(client));
        assertThat(round(network, client)).isEqualTo(ROUNDS);
      }
      assertThat(last).isLessThan(ROUNDS);
      assertThat(network.log())
          .anyMatch(line -> line.contains("no message from the coordinator, peer " + SERVER))
          .filteredOn(line -> line.contains("this client coordinates from round"))
          .hasSize(1);

      awaitDone(network.restart(SERVER));
      assertThat(network.log())
          .anyMatch(line -> line.contains("peer 0 has replaced this coordinator"));
    }
  }
}
