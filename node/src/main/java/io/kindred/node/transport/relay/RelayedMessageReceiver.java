package io.kindred.node.transport.relay;

import io.grpc.stub.StreamObserver;
import io.kindred.node.transport.MessageMetadata;
import io.kindred.protocol.wire.MalformedException;
import java.util.Optional;

/** Accepts messages that a relay delivers for another member. */
public interface RelayedMessageReceiver {
  /**
   * Opens a call for a relayed message, whose header frame is the first to be passed to it.
   *
   * @param answers receives the receipt or the refusal
   * @return nothing where no member of this network has signed the message
   */
  Optional<StreamObserver<byte[]>> receive(
      MessageMetadata metadata, byte[] header, StreamObserver<byte[]> answers)
      throws MalformedException;
}
