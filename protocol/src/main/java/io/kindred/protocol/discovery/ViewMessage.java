package io.kindred.protocol.discovery;

import io.kindred.core.config.Named;
import io.kindred.core.peer.Message;
import java.util.List;
import java.util.Optional;

/** Messages between peers that keep views of similar peers. */
public sealed interface ViewMessage extends Message {
  /** Number of the exchange or of the query; the answer repeats it. */
  long number();

  @Override
  default Category category() {
    return Category.SEARCH;
  }

  /**
   * Begins an exchange.
   *
   * @param own the sender's model; empty before its first training
   * @param known models that the sender has sketches of
   * @param contacts contacts for the receiver; empty in an exchange with a similar peer
   */
  @Named("discovery/exchange-request")
  record ExchangeRequest(
      long number, Optional<Descriptor> own, List<KnownModel> known, List<Contact> contacts)
      implements ViewMessage {
    public ExchangeRequest {
      known = KnownModels.copyOf(known);
      contacts = List.copyOf(contacts);
    }
  }

  /**
   * Answers a request.
   *
   * @param models models for the receiver that it did not know
   * @param known models of which the sender has sketches, among those that the request lists
   */
  @Named("discovery/exchange-reply")
  record ExchangeReply(
      long number,
      Optional<Descriptor> own,
      List<AdvertisedModel> models,
      List<KnownModel> known,
      List<Contact> contacts)
      implements ViewMessage {
    public ExchangeReply {
      models = List.copyOf(models);
      known = KnownModels.copyOf(known);
      contacts = List.copyOf(contacts);
    }
  }

  /** Ends an exchange: models for the peer that replied, which it did not know. */
  @Named("discovery/exchange-push")
  record ExchangePush(long number, List<AdvertisedModel> models) implements ViewMessage {
    public ExchangePush {
      models = List.copyOf(models);
    }
  }

  /** Asks for the models that are most similar to a target. */
  @Named("discovery/query")
  record Query(long number, Sketch target, int wanted) implements ViewMessage {}

  /** The models that the receiver of a query knows, its own among them. */
  @Named("discovery/query-answer")
  record QueryAnswer(long number, List<AdvertisedModel> models) implements ViewMessage {
    public QueryAnswer {
      models = List.copyOf(models);
    }
  }
}
