package io.kindred.node.trainer;

import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records in the wire format of protocol buffers, so that any language's generated classes can read
 * them: the first component is field 1, and so on. Whole numbers are {@code int32} and {@code
 * int64}, {@link Ints} packed {@code int32}, {@link Floats} {@code bytes} of little-endian 32-bit
 * floats, lists repeated strings or messages. A dozen small messages are not worth generated
 * classes and a library at run time.
 */
final class Protobuf {
  private static final int VARINT = 0;
  private static final int FIXED_64 = 1;
  private static final int LENGTH = 2;
  private static final int FIXED_32 = 5;
  private static final int MOST_VARINT_BITS = 64;

  /** Bytes that are no valid message of the expected type. */
  static final class MalformedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    MalformedException(String message) {
      super(message);
    }
  }

  private Protobuf() {}

  static byte[] encode(Record message) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    RecordComponent[] components = message.getClass().getRecordComponents();
    for (int i = 0; i < components.length; i++) {
      writeField(out, i + 1, readComponent(components[i], message));
    }
    return out.toByteArray();
  }

  private static Object readComponent(RecordComponent component, Record message) {
    try {
      return component.getAccessor().invoke(message);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot read " + component, e);
    }
  }

  /** Fields that have the default of their type are left out, as generated classes do. */
  private static void writeField(ByteArrayOutputStream out, int number, Object value) {
    switch (value) {
      case Integer whole -> writeInteger(out, number, whole);
      case Long whole -> writeInteger(out, number, whole);
      case Boolean flag -> writeInteger(out, number, flag ? 1 : 0);
      case Double real -> {
        if (Double.doubleToRawLongBits(real) != 0) {
          varint(out, tag(number, FIXED_64));
          out.writeBytes(
              ByteBuffer.allocate(Double.BYTES)
                  .order(ByteOrder.LITTLE_ENDIAN)
                  .putDouble(real)
                  .array());
        }
      }
      case String text -> writeNonEmpty(out, number, text.getBytes(StandardCharsets.UTF_8));
      case Floats floats -> writeNonEmpty(out, number, bytes(floats));
      case Ints ints -> writeNonEmpty(out, number, packed(ints));
      case List<?> list -> list.forEach(each -> writeDelimited(out, number, element(each)));
      case Record inner -> writeDelimited(out, number, encode(inner));
      default -> throw new IllegalArgumentException("no field can hold " + value.getClass());
    }
  }

  private static void writeInteger(ByteArrayOutputStream out, int number, long value) {
    if (value != 0) {
      varint(out, tag(number, VARINT));
      varint(out, value);
    }
  }

  private static void writeNonEmpty(ByteArrayOutputStream out, int number, byte[] bytes) {
    if (bytes.length > 0) {
      writeDelimited(out, number, bytes);
    }
  }

  private static byte[] element(Object each) {
    return each instanceof Record inner
        ? encode(inner)
        : ((String) each).getBytes(StandardCharsets.UTF_8);
  }

  private static void writeDelimited(ByteArrayOutputStream out, int number, byte[] bytes) {
    varint(out, tag(number, LENGTH));
    varint(out, bytes.length);
    out.writeBytes(bytes);
  }

  private static long tag(int number, int wire) {
    return ((long) number << 3) | wire;
  }

  private static void varint(ByteArrayOutputStream out, long value) {
    long left = value;
    while ((left & ~0x7FL) != 0) {
      out.write((int) ((left & 0x7F) | 0x80));
      left >>>= 7;
    }
    out.write((int) left);
  }

  private static byte[] bytes(Floats floats) {
    byte[] bytes = new byte[Float.BYTES * floats.size()];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().put(floats.shared());
    return bytes;
  }

  private static byte[] packed(Ints ints) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int value : ints.shared()) {
      varint(out, value);
    }
    return out.toByteArray();
  }

  /** Reads a message; unknown fields are skipped. */
  static <T extends Record> T decode(Class<T> type, byte[] bytes) {
    try {
      return decode(type, ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
    } catch (BufferUnderflowException e) {
      throw new MalformedException(type.getSimpleName() + " ends in the middle of a field");
    }
  }

  private static <T extends Record> T decode(Class<T> type, ByteBuffer in) {
    RecordComponent[] components = type.getRecordComponents();
    @Nullable Object[] values = new @Nullable Object[components.length];
    for (int i = 0; i < components.length; i++) {
      values[i] = defaultValue(components[i].getType());
    }
    while (in.hasRemaining()) {
      long tag = varint(in);
      long field = tag >>> 3;
      if (field < 1 || field > components.length) {
        skip(in, (int) (tag & 7));
      } else {
        int index = (int) field - 1;
        values[index] = read(in, (int) (tag & 7), components[index], values[index]);
      }
    }
    for (int i = 0; i < components.length; i++) {
      if (values[i] == null) {
        values[i] =
            decode(components[i].getType().asSubclass(Record.class), ByteBuffer.allocate(0));
      }
    }
    return build(type, components, values);
  }

  private static @Nullable Object defaultValue(Class<?> type) {
    if (type == int.class) {
      return 0;
    } else if (type == long.class) {
      return 0L;
    } else if (type == boolean.class) {
      return false;
    } else if (type == double.class) {
      return 0.0;
    } else if (type == String.class) {
      return "";
    } else if (type == Floats.class) {
      return Floats.of();
    } else if (type == Ints.class) {
      return Ints.of();
    } else if (type == List.class) {
      return new ArrayList<Object>();
    }
    return null;
  }

  private static Object read(
      ByteBuffer in, int wire, RecordComponent component, @Nullable Object before) {
    Class<?> type = component.getType();
    if (type == double.class) {
      require(wire, FIXED_64, component);
      return in.getDouble();
    } else if (type == int.class || type == long.class || type == boolean.class) {
      require(wire, VARINT, component);
      long value = varint(in);
      if (type == int.class) {
        return (int) value;
      }
      return type == long.class ? (Object) value : (Object) (value != 0);
    } else if (type == Ints.class) {
      return ints(in, wire, component, before);
    }
    require(wire, LENGTH, component);
    ByteBuffer content = content(in);
    if (before instanceof List<?> list) {
      List<Object> more = new ArrayList<>(list);
      Type each = ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0];
      more.add(scalar((Class<?>) each, content));
      return more;
    }
    return scalar(type, content);
  }

  private static Object scalar(Class<?> type, ByteBuffer content) {
    if (type == String.class) {
      return StandardCharsets.UTF_8.decode(content).toString();
    } else if (type == Floats.class) {
      if (content.remaining() % Float.BYTES != 0) {
        throw new MalformedException(content.remaining() + " bytes are no whole 32-bit floats");
      }
      float[] values = new float[content.remaining() / Float.BYTES];
      content.asFloatBuffer().get(values);
      return Floats.wrap(values);
    }
    return decode(type.asSubclass(Record.class), content);
  }

  /** Packed or one by one: readers must accept both. */
  private static Ints ints(
      ByteBuffer in, int wire, RecordComponent component, @Nullable Object before) {
    int[] earlier = before instanceof Ints ints ? ints.shared() : new int[0];
    if (wire == VARINT) {
      int[] more = Arrays.copyOf(earlier, earlier.length + 1);
      more[earlier.length] = (int) varint(in);
      return Ints.wrap(more);
    }
    require(wire, LENGTH, component);
    ByteBuffer content = content(in);
    int[] more = Arrays.copyOf(earlier, earlier.length + content.remaining());
    int count = earlier.length;
    while (content.hasRemaining()) {
      more[count++] = (int) varint(content);
    }
    return Ints.wrap(Arrays.copyOf(more, count));
  }

  private static ByteBuffer content(ByteBuffer in) {
    long length = varint(in);
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    ByteBuffer content = in.slice(in.position(), (int) length).order(ByteOrder.LITTLE_ENDIAN);
    in.position(in.position() + (int) length);
    return content;
  }

  private static long varint(ByteBuffer in) {
    long value = 0;
    for (int shift = 0; shift < MOST_VARINT_BITS; shift += 7) {
      byte next = in.get();
      value |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new MalformedException("a whole number has more than 64 bits");
  }

  private static void skip(ByteBuffer in, int wire) {
    switch (wire) {
      case VARINT -> varint(in);
      case FIXED_64 -> in.getLong();
      case LENGTH -> content(in);
      case FIXED_32 -> in.getInt();
      default -> throw new MalformedException("wire type " + wire + " is unknown");
    }
  }

  private static void require(int wire, int expected, RecordComponent component) {
    if (wire != expected) {
      throw new MalformedException(
          "field %s has wire type %d instead of %d".formatted(component.getName(), wire, expected));
    }
  }

  private static <T extends Record> T build(
      Class<T> type, RecordComponent[] components, @Nullable Object[] values) {
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      Constructor<T> constructor = type.getDeclaredConstructor(types);
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot make " + type, e);
    }
  }
}
