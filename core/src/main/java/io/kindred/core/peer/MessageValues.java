package io.kindred.core.peer;

import io.kindred.core.weights.Weights;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads and rewrites the values inside a message without knowing its type: the components of its
 * records, of the records inside them, and of their lists and options.
 */
public final class MessageValues {
  /** Replaces a value inside a message; a value that it returns unchanged stays the same object. */
  @FunctionalInterface
  public interface Rewriting {
    /**
     * The value in place of a component.
     *
     * @param holder the record that holds the component, as it was
     * @param claim what the component claims; empty for one that carries no claim
     */
    Object rewritten(Record holder, Optional<Claim.Kind> claim, Object value);
  }

  private MessageValues() {}

  /** The weights inside a message, in the order of its components. */
  public static List<Weights> weights(Message message) {
    List<Weights> found = new ArrayList<>();
    rewrite(
        message,
        (_, _, value) -> {
          if (value instanceof Weights weights) {
            found.add(weights);
          }
          return value;
        });
    return found;
  }

  /** The value of a record's first component that carries such a claim. */
  public static Optional<Object> claim(Record holder, Claim.Kind kind) {
    for (RecordComponent component : holder.getClass().getRecordComponents()) {
      Claim claim = component.getAnnotation(Claim.class);
      if (claim != null && claim.value() == kind) {
        return Optional.of(read(component, holder));
      }
    }
    return Optional.empty();
  }

  /** The message with every value rewritten, the inner values of a record before the record. */
  public static Message rewrite(Message message, Rewriting rewriting) {
    return message instanceof Record holder ? (Message) record(holder, rewriting) : message;
  }

  private static Record record(Record value, Rewriting rewriting) {
    RecordComponent[] components = value.getClass().getRecordComponents();
    @Nullable Object[] values = new Object[components.length];
    boolean changed = false;
    for (int i = 0; i < components.length; i++) {
      Object before = read(components[i], value);
      Claim claim = components[i].getAnnotation(Claim.class);
      Object after =
          rewriting.rewritten(
              value, Optional.ofNullable(claim).map(Claim::value), nested(before, rewriting));
      values[i] = after;
      changed |= !Objects.equals(after, before);
    }
    return changed ? create(value.getClass(), components, values) : value;
  }

  private static Object nested(Object value, Rewriting rewriting) {
    return switch (value) {
      case PeerId id -> id;
      case Record inner -> record(inner, rewriting);
      case Optional<?> option when option.isPresent() -> {
        Object before = option.get();
        Object after = item(before, rewriting);
        yield Objects.equals(after, before) ? option : Optional.of(after);
      }
      case List<?> list -> list(list, rewriting);
      default -> value;
    };
  }

  private static List<?> list(List<?> list, Rewriting rewriting) {
    List<Object> next = new ArrayList<>();
    boolean changed = false;
    for (Object before : list) {
      Object after = item(before, rewriting);
      next.add(after);
      changed |= !Objects.equals(after, before);
    }
    return changed ? List.copyOf(next) : list;
  }

  /** Weights in a list or an option have no component of their own. */
  private static Object item(Object value, Rewriting rewriting) {
    return value instanceof Weights
        ? rewriting.rewritten(new Item(), Optional.empty(), value)
        : nested(value, rewriting);
  }

  /** Holds the items of lists and options. */
  private record Item() {}

  private static Object read(RecordComponent component, Record holder) {
    try {
      component.getAccessor().setAccessible(true);
      return component.getAccessor().invoke(holder);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("every component of a record can be read", e);
    }
  }

  private static Record create(
      Class<? extends Record> type, RecordComponent[] components, @Nullable Object[] values) {
    Class<?>[] types = new Class<?>[components.length];
    for (int i = 0; i < types.length; i++) {
      types[i] = components[i].getType();
    }
    try {
      Constructor<? extends Record> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(type + " refuses the rewritten values", e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("every record has its canonical constructor", e);
    }
  }
}
