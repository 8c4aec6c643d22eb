package io.kindred.node.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.peer.PeerId;
import io.kindred.node.TinyNetwork;
import io.kindred.protocol.wire.MalformedException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sender's signature on a message that a relay forwards. */
class MessageSignatureTest {
  private static final PeerId RECEIVER = new PeerId(1);
  private static final byte[] HEADER = {1, 2, 3};

  @TempDir private Path home;

  @Test
  void holdsForItsMessageAndItsReceiverAlone() throws MalformedException {
    Identity sender = new TinyNetwork(home, 2, 1).identity(0);
    MessageSignature signature =
        MessageSignature.parse(MessageSignature.sign(sender, RECEIVER, "7", HEADER).encode());
    assertThat(signature.verifiedSigner(RECEIVER, "7", HEADER)).contains(sender.member());
    assertThat(signature.verifiedSigner(new PeerId(2), "7", HEADER)).isEmpty();
    assertThat(signature.verifiedSigner(RECEIVER, "8", HEADER)).isEmpty();
    assertThat(signature.verifiedSigner(RECEIVER, "7", new byte[] {1, 2, 4})).isEmpty();
  }

  @Test
  void aSignatureIsInvalidUnderTheCertificateOfAnotherMember() {
    TinyNetwork network = new TinyNetwork(home, 2, 1);
    MessageSignature signature = MessageSignature.sign(network.identity(0), RECEIVER, "7", HEADER);
    MessageSignature stolen =
        new MessageSignature(network.identity(1).certificate(), signature.signature());
    assertThat(stolen.verifiedSigner(RECEIVER, "7", HEADER)).isEmpty();
  }

  @Test
  void whatIsNoSealIsRefused() {
    for (String text : new String[] {"", ".", "AAAA.BBBB", "\u00e4.\u00e4"}) {
      assertThatThrownBy(() -> MessageSignature.parse(text)).isInstanceOf(MalformedException.class);
    }
  }
}
