package io.kindred.node.trainer;

import io.grpc.Channel;
import java.util.Optional;

/** A trainer that somebody else keeps running: a new life is just a new connection. */
record RunningTrainer(TrainerAddress address) implements TrainerLife.Source {
  @Override
  public TrainerLife begin() {
    return new Connected(address.open());
  }

  @Override
  public void close() {}

  private record Connected(TrainerAddress.Line line) implements TrainerLife {
    @Override
    public Channel channel() {
      return line.channel();
    }

    @Override
    public Optional<String> gone() {
      return Optional.empty();
    }

    @Override
    public void close() {
      line.close();
    }
  }
}
