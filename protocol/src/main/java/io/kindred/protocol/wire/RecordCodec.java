package io.kindred.protocol.wire;

import io.kindred.core.record.AddedLater;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A record is its components, in order. In a sealed family, a record with components that were
 * {@link AddedLater added later} has two forms, and the family's tag tells which: the basic form
 * leaves these components out, because all of them have their default values. A record whose last
 * component is such a record has both forms too.
 */
final class RecordCodec implements Codec {
  private final Wire wire;
  private final Constructor<?> constructor;
  private final Method[] accessors;
  private final Type[] types;
  // Resolved at first use: a record may contain its own family.
  private final @Nullable Codec[] codecs;

  /** How many of the last components were added later. */
  private final int added;

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
    added = (int) Arrays.stream(components).filter(RecordCodec::isAddedLater).count();
    for (int i = components.length - added; i < components.length; i++) {
      if (!isAddedLater(components[i])) {
        throw new IllegalArgumentException(
            "the components of " + type + " that were added later are not its last ones");
      }
    }
  }

  private static boolean isAddedLater(RecordComponent component) {
    return component.isAnnotationPresent(AddedLater.class);
  }

  /** Whether the record has a basic and an extended form. */
  boolean isExtendable() {
    return added > 0 || extendableLast() != null;
  }

  private @Nullable RecordCodec extendableLast() {
    return types.length > 0
            && codec(types.length - 1) instanceof RecordCodec last
            && last.isExtendable()
        ? last
        : null;
  }

  /** Whether a component that was added later has another value than its default. */
  boolean isExtended(Object value) {
    RecordCodec last = extendableLast();
    if (added == 0 && last != null) {
      return last.isExtended(component(value, types.length - 1));
    }
    for (int i = types.length - added; i < types.length; i++) {
      if (!component(value, i).equals(defaultValue(types[i]))) {
        return true;
      }
    }
    return false;
  }

  private static Object defaultValue(Type type) {
    if (type == int.class) {
      return 0;
    }
    if (type == boolean.class) {
      return false;
    }
    if (type instanceof ParameterizedType generic && generic.getRawType() == Optional.class) {
      return Optional.empty();
    }
    throw new IllegalArgumentException("a component of " + type + " has no default value");
  }

  @Override
  public void write(Object value, WireOutput out) {
    writeFirst(accessors.length, value, out);
  }

  /** Writes the basic or the extended form. */
  void write(Object value, boolean extended, WireOutput out) {
    RecordCodec last = extendableLast();
    if (added == 0 && last != null) {
      writeFirst(types.length - 1, value, out);
      last.write(component(value, types.length - 1), extended, out);
    } else {
      writeFirst(extended ? types.length : types.length - added, value, out);
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

  @Override
  public Object read(WireInput in) throws MalformedException {
    return construct(readFirst(types.length, in));
  }

  /** Reads the basic or the extended form. */
  Object read(WireInput in, boolean extended) throws MalformedException {
    RecordCodec last = extendableLast();
    if (added == 0 && last != null) {
      Object[] values = readFirst(types.length - 1, in);
      values[types.length - 1] = last.read(in, extended);
      return construct(values);
    }
    Object[] values = readFirst(extended ? types.length : types.length - added, in);
    for (int i = types.length - added; i < types.length && !extended; i++) {
      values[i] = defaultValue(types[i]);
    }
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
