package io.kindred.protocol.wire;

import io.kindred.core.record.AddedLater;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A record is its components, in order. In a sealed family, a last component that was {@link
 * AddedLater added later} is left out of the basic form and present in the extended form; the
 * family's tag tells the form.
 */
final class RecordCodec implements Codec {
  private final Wire wire;
  private final Constructor<?> constructor;
  private final Method[] accessors;
  private final Type[] types;
  // Resolved at first use: a record may contain its own family.
  private final @Nullable Codec[] codecs;
  private final boolean extendable;

  RecordCodec(Wire wire, Class<?> type) {
    this.wire = wire;
    RecordComponent[] components = type.getRecordComponents();
    accessors = new Method[components.length];
    types = new Type[components.length];
    codecs = new @Nullable Codec[components.length];
    Class<?>[] raw = new Class<?>[components.length];
    for (int i = 0; i < components.length; i++) {
      accessors[i] = components[i].getAccessor();
      accessors[i].setAccessible(true);
      types[i] = components[i].getGenericType();
      raw[i] = components[i].getType();
    }
    try {
      constructor = type.getDeclaredConstructor(raw);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("every record has its canonical constructor", e);
    }
    constructor.setAccessible(true);
    extendable = components.length > 0 && isAddedLater(components[components.length - 1]);
    if (extendable && raw[components.length - 1] != Optional.class) {
      throw new IllegalArgumentException(
          "the last component of " + type + " was added later and must be optional");
    }
  }

  private static boolean isAddedLater(RecordComponent component) {
    return component.isAnnotationPresent(AddedLater.class);
  }

  boolean isExtendable() {
    return extendable;
  }

  /** Whether a record has a value in the component that was added later. */
  boolean isExtended(Object value) {
    return ((Optional<?>) component(value, accessors.length - 1)).isPresent();
  }

  @Override
  public void write(Object value, WireOutput out) {
    writeFirst(accessors.length, value, out);
  }

  /** Writes the basic or the extended form. */
  void write(Object value, boolean extended, WireOutput out) {
    int last = accessors.length - 1;
    writeFirst(last, value, out);
    if (extended) {
      wire.write(addedType(), ((Optional<?>) component(value, last)).orElseThrow(), out);
    }
  }

  private void writeFirst(int count, Object value, WireOutput out) {
    for (int i = 0; i < count; i++) {
      codec(i).write(component(value, i), out);
    }
  }

  private Object component(Object value, int index) {
    try {
      return accessors[index].invoke(value);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("accessor of " + value.getClass(), e);
    }
  }

  private Type addedType() {
    return ((ParameterizedType) types[types.length - 1]).getActualTypeArguments()[0];
  }

  @Override
  public Object read(WireInput in) throws MalformedException {
    return construct(readFirst(types.length, in));
  }

  /** Reads the basic or the extended form. */
  Object read(WireInput in, boolean extended) throws MalformedException {
    int last = types.length - 1;
    Object[] values = readFirst(last, in);
    values[last] = extended ? Optional.of(wire.read(addedType(), in)) : Optional.empty();
    return construct(values);
  }

  private Object[] readFirst(int count, WireInput in) throws MalformedException {
    Object[] values = new Object[types.length];
    for (int i = 0; i < count; i++) {
      values[i] = codec(i).read(in);
    }
    return values;
  }

  private Object construct(Object[] values) throws MalformedException {
    try {
      return constructor.newInstance(values);
    } catch (InvocationTargetException e) {
      // A compact constructor refused what came over the wire: bad input, not our bug.
      throw new MalformedException(
          constructor.getDeclaringClass().getSimpleName() + ": " + e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("constructor of " + constructor.getDeclaringClass(), e);
    }
  }

  private Codec codec(int index) {
    Codec codec = codecs[index];
    if (codec == null) {
      codec = wire.codec(types[index]);
      codecs[index] = codec;
    }
    return codec;
  }
}
