package io.kindred.node.trainer;

import io.grpc.Channel;
import java.util.Optional;

/** A trainer that the operator keeps running: a new instance is just a new connection. */
record RunningTrainer(TrainerAddress address) implements TrainerInstance.Source {
  @Override
  public TrainerInstance start() {
    return new ConnectedInstance(address.open());
  }

  @Override
  public void close() {}

  private record ConnectedInstance(TrainerAddress.TrainerConnection connection)
      implements TrainerInstance {
    @Override
    public Channel channel() {
      return connection.channel();
    }

    @Override
    public Optional<String> exitReason() {
      return Optional.empty();
    }

    @Override
    public void close() {
      connection.close();
    }
  }
}
