package io.kindred.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.node.identity.Authority;
import io.kindred.node.identity.Identity;
import io.kindred.node.transport.RefusalKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class RevocationSpreadTest {
  /** The time that the documentation states. */
  private static final double STATED_SECONDS = 15;

  @TempDir private Path home;

  /** The operator gives the list to one node only. */
  @Test
  void aListThatOneNodeGetsCutsTheRevokedNodeOffEverywhere() throws Exception {
    int nodes = 5;
    int revoked = nodes - 1;
    try (TinyNetwork network = new TinyNetwork(home, nodes, 1)) {
      network.start();
      for (Node node : network.nodes()) {
        assertThat(node.awaitDone(60, TimeUnit.SECONDS)).isTrue();
      }
      long began = System.nanoTime();
      revoke(network, revoked, 0);
      for (int number = 0; number < revoked; number++) {
        int peer = number;
        assertThat(
                Until.comesTrue(
                    () ->
                        network
                            .node(peer)
                            .refusals()
                            .counts()
                            .containsKey(RefusalKind.REVOKED_CERTIFICATE)))
            .as("peer %d refuses", number)
            .isTrue();
        assertThat(home.resolve("identity-" + number).resolve("revoked.crl")).exists();
      }
      assertThat((System.nanoTime() - began) / 1e9).isLessThan(STATED_SECONDS);
      assertThat(network.log()).anyMatch(line -> line.contains("newer revocation list"));
    }
  }

  private void revoke(TinyNetwork network, int peer, int receiver) throws IOException {
    Path authority = home.resolve("authority");
    network
        .authority()
        .revoke(
            authority, Identity.certificate(home.resolve("identity-" + peer + "/identity.crt")));
    Files.copy(
        Authority.revocationsFile(authority),
        home.resolve("identity-" + receiver).resolve("revoked.crl"));
  }
}
