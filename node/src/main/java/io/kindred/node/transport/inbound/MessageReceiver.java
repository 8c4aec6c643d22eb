package io.kindred.node.transport.inbound;

import io.kindred.core.peer.Component;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Digest;
import java.security.cert.X509Certificate;
import java.util.List;

/** Takes messages that are complete and checked. */
@FunctionalInterface
public interface MessageReceiver {
  /**
   * A complete and checked message.
   *
   * @param controlBytes bytes of the message without its vectors
   * @param modelBytes bytes of its vectors in transit, before compression
   * @param models digests of its vectors
   * @param memoryBytes bytes that the message takes in memory
   * @param certificates of the peers whose election proofs the message has, not yet checked
   */
  record ReceivedMessage(
      PeerId from,
      Component component,
      Message message,
      long controlBytes,
      long modelBytes,
      List<Digest> models,
      long memoryBytes,
      List<X509Certificate> certificates) {
    public ReceivedMessage {
      models = List.copyOf(models);
      certificates = List.copyOf(certificates);
    }
  }

  /** Returns whether the message was accepted; its sender learns of a rejection. */
  boolean offer(ReceivedMessage received);
}
