package io.kindred.runtime.metrics;

import io.kindred.core.peer.Observation.Deployed;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Digest;
import io.kindred.protocol.wire.Wire;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.List;

/**
 * The hash of every predictor that peers deployed, in the order of events. Predictors are no part
 * of the trace, because a model that a peer adapts only for its own use causes no event. Each is
 * chained onto the hash so far, so that a checkpoint can carry it as 32 bytes.
 */
final class DeploymentHash {
  private static final Wire WIRE = new Wire(List.of());

  private final MessageDigest sha = Digest.sha256();
  private Digest head;

  DeploymentHash() {
    this(new Digest(0, 0, 0, 0));
  }

  private DeploymentHash(Digest head) {
    this.head = head;
  }

  /** Weights enter by their digest, which the trace has computed already. */
  void add(PeerId peer, Deployed deployed) {
    sha.update(head.bytes());
    sha.update(ByteBuffer.allocate(Long.BYTES).putLong(peer.number()).array());
    head = Digest.ofHash(sha.digest(WIRE.encode(Deployed.class, deployed).bytes()));
  }

  Digest head() {
    return head;
  }

  DeploymentHash copy() {
    return new DeploymentHash(head);
  }

  void write(DataOutputStream out) throws IOException {
    out.write(head.bytes());
  }

  static DeploymentHash read(DataInputStream in) throws IOException {
    byte[] hash = new byte[Digest.BYTES];
    in.readFully(hash);
    return new DeploymentHash(Digest.ofHash(hash));
  }
}
