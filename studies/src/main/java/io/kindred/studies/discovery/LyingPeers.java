package io.kindred.studies.discovery;

import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.protocol.discovery.AdvertisedModel;
import io.kindred.protocol.discovery.Descriptor;
import io.kindred.protocol.discovery.ViewMessage.ExchangePush;
import io.kindred.protocol.discovery.ViewMessage.ExchangeReply;
import io.kindred.protocol.discovery.ViewMessage.ExchangeRequest;
import io.kindred.protocol.discovery.ViewMessage.QueryAnswer;
import io.kindred.studies.discovery.DiscoveryStudy.LiarSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Peers that want to be pulled: they know every sketch, and advertise the receiver's own sketch as
 * theirs.
 */
final class LyingPeers implements ViewNetwork.Tampering {
  private static final Purpose LIARS = new Purpose("discovery-liars");

  private final boolean[] lies;
  private final int[] liars;
  private final boolean collude;
  private final RandomStreams streams;

  LyingPeers(LiarSettings settings, int peers, long seed) {
    streams = new RandomStreams(seed);
    collude = settings.kind() == LiarSettings.Kind.COLLUDE;
    lies = new boolean[peers];
    int count = (int) Math.round(settings.share() * peers);
    liars = Arrays.copyOf(streams.stream(LIARS, -1, 0).permutation(peers), count);
    for (int liar : liars) {
      lies[liar] = true;
    }
  }

  @Override
  public boolean lies(int peer) {
    return lies[peer];
  }

  @Override
  public Message tampered(ViewNetwork network, int from, int to, Message message) {
    if (!lies[from]) {
      return message;
    }
    return switch (message) {
      case ExchangeRequest request ->
          new ExchangeRequest(
              request.number(),
              request.own().map(own -> claim(network, from, to)),
              request.known(),
              request.contacts());
      case ExchangeReply reply ->
          new ExchangeReply(
              reply.number(),
              reply.own().map(own -> claim(network, from, to)),
              collude
                  ? accomplices(network, from, to, reply.number(), network.settings().models())
                  : reply.models(),
              reply.known(),
              reply.contacts());
      case ExchangePush push ->
          collude
              ? new ExchangePush(
                  push.number(),
                  accomplices(network, from, to, push.number(), network.settings().models()))
              : push;
      case QueryAnswer answer ->
          new QueryAnswer(answer.number(), answered(network, from, to, answer));
      default -> message;
    };
  }

  /** An answer of the same length, because the asker refuses longer ones. */
  private List<AdvertisedModel> answered(
      ViewNetwork network, int from, int to, QueryAnswer answer) {
    List<AdvertisedModel> models = new ArrayList<>();
    models.add(new AdvertisedModel(claim(network, from, to), 0));
    int more = Math.max(1, answer.models().size()) - 1;
    models.addAll(
        collude
            ? accomplices(network, from, to, answer.number(), more)
            : answer.models().stream()
                .filter(each -> each.descriptor().peer().number() != from)
                .limit(more)
                .toList());
    return models;
  }

  private static Descriptor claim(ViewNetwork network, int liar, int receiver) {
    return new Descriptor(new PeerId(liar), network.version(liar), network.sketch(receiver));
  }

  private List<AdvertisedModel> accomplices(
      ViewNetwork network, int from, int to, long number, int most) {
    RandomStream random = streams.stream(LIARS, from * (long) lies.length + to, number);
    List<AdvertisedModel> models = new ArrayList<>();
    int first = random.nextInt(liars.length);
    for (int i = 0; i < liars.length && models.size() < most; i++) {
      int liar = liars[(first + i) % liars.length];
      if (liar != from && liar != to) {
        models.add(new AdvertisedModel(claim(network, liar, to), 0));
      }
    }
    return models;
  }
}
