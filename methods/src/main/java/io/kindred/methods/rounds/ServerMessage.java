package io.kindred.methods.rounds;

import io.kindred.core.config.Named;
import io.kindred.core.peer.Claim;
import io.kindred.core.peer.Message;
import io.kindred.core.weights.Weights;
import java.util.List;

/** A message between a {@link Server} and its clients. */
public sealed interface ServerMessage extends Message {
  /** Every message between a server and its clients. */
  static List<Class<? extends Message>> types() {
    return List.of(ServerModels.class, ClientUpdate.class, Poll.class);
  }

  /**
   * From the server to a client: the models of a round.
   *
   * @param attempt number of failed sends before this one
   */
  @Named("rounds/server-models")
  record ServerModels(int round, List<Weights> models, int attempt) implements ServerMessage {
    public ServerModels {
      models = List.copyOf(models);
    }
  }

  /**
   * From a client to the server: the update after local work.
   *
   * @param attempt number of failed sends before this one
   */
  @Named("rounds/client-update")
  record ClientUpdate(@Claim(Claim.Kind.ROUND) int round, ModelUpdate update, int attempt)
      implements ServerMessage {}

  /** From a client to the server: the last round that the client knows, to ask for a newer one. */
  @Named("rounds/poll")
  record Poll(int round) implements ServerMessage {
    @Override
    public boolean asksForModel() {
      return true;
    }
  }
}
