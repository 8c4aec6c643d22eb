package io.kindred.studies.discovery;

import io.kindred.core.peer.Message;
import io.kindred.protocol.discovery.AdvertisedModel;
import io.kindred.protocol.discovery.Contact;
import io.kindred.protocol.discovery.Descriptor;
import io.kindred.protocol.discovery.KnownModel;
import io.kindred.protocol.discovery.ViewMessage.ExchangePush;
import io.kindred.protocol.discovery.ViewMessage.ExchangeReply;
import io.kindred.protocol.discovery.ViewMessage.ExchangeRequest;
import io.kindred.protocol.discovery.ViewMessage.Query;
import io.kindred.protocol.discovery.ViewMessage.QueryAnswer;
import java.util.List;
import java.util.Optional;

/**
 * Bytes of a message on the wire, added up rather than encoded: a network of a million peers sends
 * gigabytes a round. A test compares the sums with the codec.
 */
final class MessageSizes {
  private MessageSizes() {}

  static long of(Message message) {
    return switch (message) {
      case ExchangeRequest request ->
          name("discovery/exchange-request")
              + number(request.number())
              + optional(request.own())
              + known(request.known())
              + contacts(request.contacts());
      case ExchangeReply reply ->
          name("discovery/exchange-reply")
              + number(reply.number())
              + optional(reply.own())
              + models(reply.models())
              + known(reply.known())
              + contacts(reply.contacts());
      case ExchangePush push ->
          name("discovery/exchange-push") + number(push.number()) + models(push.models());
      case Query query ->
          name("discovery/query")
              + number(query.number())
              + 2
              + query.target().bytes()
              + number(query.wanted());
      case QueryAnswer answer ->
          name("discovery/query-answer") + number(answer.number()) + models(answer.models());
      default -> throw new IllegalArgumentException("no message of discovery: " + message);
    };
  }

  private static long name(String name) {
    return count(name.length()) + name.length();
  }

  private static long optional(Optional<Descriptor> descriptor) {
    return 1 + (descriptor.isPresent() ? descriptor(descriptor.get()) : 0);
  }

  private static long descriptor(Descriptor descriptor) {
    return number(descriptor.peer().number())
        + number(descriptor.version())
        + 2
        + descriptor.sketch().bytes();
  }

  private static long models(List<AdvertisedModel> models) {
    long sum = count(models.size());
    for (AdvertisedModel each : models) {
      sum += descriptor(each.descriptor()) + number(each.age());
    }
    return sum;
  }

  private static long known(List<KnownModel> known) {
    long sum = count(known.size());
    for (KnownModel each : known) {
      sum +=
          number(each.peer().number())
              + number(each.version())
              + number(each.age())
              + number(each.fingerprint());
    }
    return sum;
  }

  private static long contacts(List<Contact> contacts) {
    long sum = count(contacts.size());
    for (Contact each : contacts) {
      sum += number(each.peer().number()) + number(each.age());
    }
    return sum;
  }

  /** Zigzag: one bit for the sign, seven bits a byte. */
  private static long number(long value) {
    return count((value << 1) ^ (value >> 63));
  }

  private static long count(long value) {
    return Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(value) + 6) / 7);
  }
}
