package io.kindred.studies.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.protocol.discovery.AdvertisedModel;
import io.kindred.protocol.discovery.Contact;
import io.kindred.protocol.discovery.Descriptor;
import io.kindred.protocol.discovery.Discovery;
import io.kindred.protocol.discovery.KnownModel;
import io.kindred.protocol.discovery.Sketch;
import io.kindred.protocol.discovery.SketchForm;
import io.kindred.protocol.discovery.SketchRule;
import io.kindred.protocol.discovery.ViewMessage.ExchangePush;
import io.kindred.protocol.discovery.ViewMessage.ExchangeReply;
import io.kindred.protocol.discovery.ViewMessage.ExchangeRequest;
import io.kindred.protocol.discovery.ViewMessage.Query;
import io.kindred.protocol.discovery.ViewMessage.QueryAnswer;
import io.kindred.protocol.wire.Wire;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MessageSizesTest {
  private static final Wire WIRE = new Wire(Discovery.records());
  private static final int MESSAGES = 300;

  private final RandomStream random = new RandomStreams(7).stream(new Purpose("sizes"), 0, 0);

  /** Numbers of every length, small ones as often as large ones. */
  private long number() {
    return random.nextLong() >>> (1 + random.nextInt(63));
  }

  private int count() {
    return (int) (number() >>> 33);
  }

  private PeerId peer() {
    return new PeerId(number());
  }

  private Sketch sketch() {
    SketchForm form = List.of(SketchForm.values()).get(random.nextInt(3));
    float[] values = new float[32];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    int bytes = 64 << random.nextInt(7);
    return new SketchRule(SketchRule.Subject.CHANGE, form, bytes, 0)
        .sketch(values, new float[32], 0, 32);
  }

  private Descriptor descriptor() {
    return new Descriptor(peer(), count(), sketch());
  }

  private <T> List<T> some(Supplier<T> each) {
    return Stream.generate(each).limit(random.nextInt(140)).toList();
  }

  private List<AdvertisedModel> models() {
    return Stream.generate(() -> new AdvertisedModel(descriptor(), count()))
        .limit(random.nextInt(10))
        .toList();
  }

  private List<KnownModel> known() {
    return some(() -> new KnownModel(peer(), count(), count(), count() * 123_456_789L));
  }

  private List<Contact> contacts() {
    return some(() -> new Contact(peer(), count()));
  }

  private Optional<Descriptor> own() {
    return random.nextInt(3) == 0 ? Optional.empty() : Optional.of(descriptor());
  }

  private Message message(int kind) {
    return switch (kind) {
      case 0 -> new ExchangeRequest(number(), own(), known(), contacts());
      case 1 -> new ExchangeReply(number(), own(), models(), known(), contacts());
      case 2 -> new ExchangePush(number(), models());
      case 3 -> new Query(number(), sketch(), count());
      default -> new QueryAnswer(number(), models());
    };
  }

  @Test
  void theSumsAreTheLengthsOfTheCodec() {
    IntStream.range(0, MESSAGES)
        .forEach(
            i -> {
              Message message = message(i % 5);
              assertThat(MessageSizes.of(message))
                  .as(message.getClass().getSimpleName())
                  .isEqualTo(WIRE.encode(Message.class, message).bytes().length);
            });
  }
}
