package io.kindred.core.testing;

import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Bytes;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Draws values of any type that records are made of: by components, permitted types and constants.
 * Open interfaces are filled from the given records.
 */
public final class RandomValues {
  private static final int MAX_REFUSALS = 1_000;
  private static final double[] AWKWARD_DOUBLES = {
    0.0, -0.0, 1.0, -1.0, Double.MIN_VALUE, Double.MAX_VALUE, Double.NaN, Double.NEGATIVE_INFINITY
  };
  private static final long[] AWKWARD_LONGS = {
    0, 1, -1, 63, 64, -64, -65, 127, 128, Long.MAX_VALUE, Long.MIN_VALUE
  };

  private final RandomStream random;
  private final int size;
  private final List<? extends Class<?>> openRecords;
  private final Map<Class<?>, Function<RandomStream, ?>> others;

  public RandomValues(RandomStream random, int size, List<? extends Class<?>> openRecords) {
    this(random, size, openRecords, Map.of());
  }

  /** Also draws types that are neither records nor known here, each with its own function. */
  public RandomValues(
      RandomStream random,
      int size,
      List<? extends Class<?>> openRecords,
      Map<Class<?>, Function<RandomStream, ?>> others) {
    this.random = random;
    this.size = size;
    this.openRecords = List.copyOf(openRecords);
    this.others = others;
  }

  public <T> T next(Class<T> type) {
    return type.cast(value(type));
  }

  private Object value(Type type) {
    if (type instanceof ParameterizedType generic) {
      return container(generic);
    }
    if (!(type instanceof Class<?> plain)) {
      throw new IllegalArgumentException("cannot draw a " + type);
    }
    if (others.containsKey(plain)) {
      return others.get(plain).apply(random);
    }
    if (plain.isEnum()) {
      return pick(List.of(plain.getEnumConstants()));
    }
    if (plain.isRecord()) {
      return construct(plain);
    }
    if (plain.isSealed()) {
      return value(pick(List.of(plain.getPermittedSubclasses())));
    }
    if (plain.isInterface()) {
      return value(pick(openRecords.stream().filter(plain::isAssignableFrom).toList()));
    }
    return simple(plain);
  }

  private <E> E pick(List<E> from) {
    return from.get(random.nextInt(from.size()));
  }

  private Object container(ParameterizedType type) {
    Type[] arguments = type.getActualTypeArguments();
    if (type.getRawType() == Optional.class) {
      return random.nextInt(2) == 0 ? Optional.empty() : Optional.of(value(arguments[0]));
    }
    int count = random.nextInt(Math.min(size, 6) + 1);
    if (type.getRawType() == SortedMap.class) {
      SortedMap<Object, Object> map = new TreeMap<>();
      for (int i = 0; i < count; i++) {
        map.put(value(arguments[0]), value(arguments[1]));
      }
      return map;
    }
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      list.add(value(arguments[0]));
    }
    return list;
  }

  /**
   * A record's constructor may refuse what was drawn, such as an empty mixture; then draw again.
   */
  private Object construct(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    for (int refusals = 0; refusals < MAX_REFUSALS; refusals++) {
      Class<?>[] raw = new Class<?>[components.length];
      Object[] values = new Object[components.length];
      for (int i = 0; i < components.length; i++) {
        raw[i] = components[i].getType();
        values[i] = value(components[i].getGenericType());
      }
      try {
        Constructor<?> constructor = type.getDeclaredConstructor(raw);
        constructor.setAccessible(true);
        return constructor.newInstance(values);
      } catch (InvocationTargetException _) {
        // Refused: the next iteration draws again.
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
    throw new IllegalStateException(type + " refuses everything that is drawn for it");
  }

  private Object simple(Class<?> type) {
    if (type == int.class || type == Integer.class) {
      return (int) nextLong();
    }
    if (type == long.class || type == Long.class) {
      return nextLong();
    }
    if (type == double.class || type == Double.class) {
      return nextDouble();
    }
    if (type == float.class || type == Float.class) {
      return (float) nextDouble();
    }
    if (type == boolean.class || type == Boolean.class) {
      return random.nextInt(2) == 0;
    }
    if (type == String.class) {
      return nextText();
    }
    if (type == Bytes.class) {
      byte[] bytes = new byte[random.nextInt(size + 1)];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) random.nextLong();
      }
      return Bytes.wrap(bytes);
    }
    if (type == Ints.class) {
      return Ints.wrap(random.permutation(random.nextInt(size + 1)));
    }
    if (type == Floats.class) {
      return Floats.wrap(nextFloats());
    }
    if (type == Weights.class) {
      float[] values = nextFloats();
      return Weights.wrap(Layout.builder().add("all", values.length).build(), values);
    }
    throw new IllegalArgumentException("cannot draw a " + type);
  }

  private long nextLong() {
    return random.nextInt(2) == 0
        ? AWKWARD_LONGS[random.nextInt(AWKWARD_LONGS.length)]
        : random.nextLong() >> random.nextInt(64);
  }

  private double nextDouble() {
    return random.nextInt(4) == 0
        ? AWKWARD_DOUBLES[random.nextInt(AWKWARD_DOUBLES.length)]
        : random.nextGaussian();
  }

  private float[] nextFloats() {
    float[] values = new float[random.nextInt(size + 1)];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) nextDouble();
    }
    return values;
  }

  private String nextText() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(Math.min(size, 8) + 1); i > 0; i--) {
      text.append(pick(List.of("a", "Z", "0", "-", "\u00e9", "\u4e2d", "\ud83d\ude00", "\u0000")));
    }
    return text.toString();
  }
}
