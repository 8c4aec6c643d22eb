package io.kindred.protocol.wire;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** A record is its components, in order. */
final class RecordCodec implements Codec {
  private final Wire wire;
  private final Constructor<?> constructor;
  private final Method[] accessors;
  private final Type[] types;
  // Resolved at first use: a record may contain its own family.
  private final @Nullable Codec[] codecs;

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
  }

  @Override
  public void write(Object value, WireOutput out) {
    for (int i = 0; i < accessors.length; i++) {
      try {
        component(i).write(accessors[i].invoke(value), out);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("accessor of " + value.getClass(), e);
      }
    }
  }

  @Override
  public Object read(WireInput in) throws MalformedException {
    Object[] values = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      values[i] = component(i).read(in);
    }
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

  private Codec component(int index) {
    Codec codec = codecs[index];
    if (codec == null) {
      codec = wire.codec(types[index]);
      codecs[index] = codec;
    }
    return codec;
  }
}
