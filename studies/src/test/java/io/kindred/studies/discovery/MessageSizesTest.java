package io.kindred.studies.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.protocol.discovery.Discovery;
import io.kindred.protocol.discovery.Sketch;
import io.kindred.protocol.discovery.SketchForm;
import io.kindred.protocol.discovery.SketchRule;
import io.kindred.protocol.discovery.ViewMessage;
import io.kindred.protocol.wire.Wire;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MessageSizesTest {
  private static final Wire WIRE = new Wire(Discovery.records());
  private static final int MESSAGES = 100;
  private static final int LONGEST_LIST = 140;

  private final RandomStream random = new RandomStreams(7).stream(new Purpose("sizes"), 0, 0);

  static List<Class<?>> kinds() {
    return Discovery.records().stream().filter(ViewMessage.class::isAssignableFrom).toList();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void theSumsAreTheLengthsOfTheCodec(Class<?> kind) throws ReflectiveOperationException {
    for (int i = 0; i < MESSAGES; i++) {
      Message message = (Message) value(kind);
      assertThat(MessageSizes.of(message))
          .isEqualTo(WIRE.encode(Message.class, message).bytes().length);
    }
  }

  /** A random value of any type in a message, so that a new component is tested as well. */
  private Object value(Type type) throws ReflectiveOperationException {
    if (type instanceof ParameterizedType generic) {
      Type element = generic.getActualTypeArguments()[0];
      if (generic.getRawType() == Optional.class) {
        return random.nextInt(3) == 0 ? Optional.empty() : Optional.of(value(element));
      }
      Object[] elements = new Object[random.nextInt(LONGEST_LIST)];
      for (int i = 0; i < elements.length; i++) {
        elements[i] = value(element);
      }
      return List.of(elements);
    }
    if (type == long.class) {
      return number();
    }
    if (type == int.class) {
      return (int) (number() >>> Integer.SIZE);
    }
    if (type == PeerId.class) {
      return new PeerId(number());
    }
    return type == Sketch.class ? sketch() : ofComponents((Class<?>) type);
  }

  private Object ofComponents(Class<?> type) throws ReflectiveOperationException {
    RecordComponent[] components = type.getRecordComponents();
    Object[] values = new Object[components.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = value(components[i].getGenericType());
    }
    return type.getDeclaredConstructor(
            Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new))
        .newInstance(values);
  }

  /** Numbers of every length, small ones as often as large ones. */
  private long number() {
    return random.nextLong() >>> (1 + random.nextInt(63));
  }

  private Sketch sketch() {
    float[] values = new float[32];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    SketchForm form = List.of(SketchForm.values()).get(random.nextInt(3));
    int bytes = 64 << random.nextInt(7);
    return new SketchRule(SketchRule.Subject.CHANGE, form, bytes, 0)
        .sketch(values, new float[32], 0, values.length);
  }
}
