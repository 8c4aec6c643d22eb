package io.kindred.node.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.PeerId;
import io.kindred.node.TinyNetwork;
import io.kindred.protocol.wire.MalformedException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sender's word for what somebody else hands on. */
class SealTest {
  private static final PeerId RECEIVER = new PeerId(1);
  private static final byte[] HEADER = {1, 2, 3};

  @TempDir private Path home;

  @Test
  void holdsForItsMessageAndItsReceiverAlone() throws MalformedException {
    Identity sender = new TinyNetwork(home, 2, 1).identity(0);
    Seal seal = Seal.parse(Seal.of(sender, RECEIVER, "7", HEADER).text());
    assertThat(seal.of(RECEIVER, "7", HEADER)).contains(sender.member());
    assertThat(seal.of(new PeerId(2), "7", HEADER)).isEmpty();
    assertThat(seal.of(RECEIVER, "8", HEADER)).isEmpty();
    assertThat(seal.of(RECEIVER, "7", new byte[] {1, 2, 4})).isEmpty();
  }

  @Test
  void wordsOfSomebodyElseDoNotHoldUnderAnotherCertificate() {
    TinyNetwork network = new TinyNetwork(home, 2, 1);
    Seal seal = Seal.of(network.identity(0), RECEIVER, "7", HEADER);
    Seal stolen = new Seal(network.identity(1).certificate(), seal.signature());
    assertThat(stolen.of(RECEIVER, "7", HEADER)).isEmpty();
  }

  @Test
  void whatIsNoSealIsRefused() {
    for (String text : new String[] {"", ".", "AAAA.BBBB", "\u00e4.\u00e4"}) {
      assertThatThrownBy(() -> Seal.parse(text)).isInstanceOf(MalformedException.class);
    }
  }
}
