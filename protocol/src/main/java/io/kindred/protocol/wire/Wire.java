package io.kindred.protocol.wire;

import io.kindred.core.config.Catalogue;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Weights;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The one registry of codecs. A codec follows from a type: records component by component, sealed
 * families by position, enums by ordinal, open interfaces ({@code Message}, {@code LocalMessage})
 * by the registered name of the record; a type may name a codec of its own. So a new message needs
 * no code, and messages, hashes and checkpoints share one form.
 */
public final class Wire {
  private final SortedMap<String, Class<?>> named = new TreeMap<>();
  private final Map<Type, Codec> codecs = new ConcurrentHashMap<>();

  /**
   * Takes the records that may implement open interfaces, each with {@link
   * io.kindred.core.config.Named}; the same record may be listed twice.
   */
  public Wire(Collection<? extends Class<?>> namedRecords) {
    for (Class<?> type : namedRecords) {
      Class<?> other = named.put(Catalogue.nameOf(type), type);
      if (other != null && other != type) {
        throw new IllegalArgumentException(
            other + " and " + type + " are both named " + Catalogue.nameOf(type));
      }
    }
  }

  /** The bytes of a value and the weights it names, each once, in order of first appearance. */
  public static final class Encoded {
    private final byte[] bytes;
    private final List<Weights> weights;

    private Encoded(byte[] bytes, List<Weights> weights) {
      this.bytes = bytes;
      this.weights = List.copyOf(weights);
    }

    /** The bytes themselves, shared: reading only. */
    public byte[] bytes() {
      return bytes;
    }

    public List<Weights> weights() {
      return weights;
    }

    public long modelBytes() {
      long sum = 0;
      for (Weights each : weights) {
        sum += each.bytes();
      }
      return sum;
    }
  }

  /**
   * The size of a value on the wire.
   *
   * @param bytes the bytes of the value without its weights, which leave references in it
   * @param models the number of different weights
   */
  public record Size(int bytes, long modelBytes, int models) {}

  /** The size that {@link #encode} would find, without the bytes. */
  public Size size(Type type, Object value) {
    DistinctWeights weights = new DistinctWeights();
    WireOutput out = WireOutput.counter(weights);
    write(type, value, out);
    return new Size(out.size(), weights.bytes, weights.digests.size());
  }

  /** Counts weights, each once. Most messages have none. */
  private static final class DistinctWeights implements Consumer<Weights> {
    private SortedSet<Digest> digests = Collections.emptySortedSet();
    private long bytes;

    @Override
    public void accept(Weights weights) {
      if (digests.isEmpty()) {
        digests = new TreeSet<>();
      }
      if (digests.add(weights.digest())) {
        bytes += weights.bytes();
      }
    }
  }

  public Encoded encode(Type type, Object value) {
    return encode(type, value, UnaryOperator.identity());
  }

  /** Encodes a value with its weights transformed, such as rounded. */
  public Encoded encode(Type type, Object value, UnaryOperator<Weights> weightsTransform) {
    Map<Digest, Weights> weights = new LinkedHashMap<>();
    WireOutput out =
        new WireOutput(weightsTransform, each -> weights.putIfAbsent(each.digest(), each));
    write(type, value, out);
    return new Encoded(out.toBytes(), List.copyOf(weights.values()));
  }

  /** Reads a whole value; bytes left over are as wrong as bytes that are missing. */
  public <T> T decode(
      Class<T> type, byte[] bytes, Function<Digest, @Nullable Weights> weightsSource)
      throws MalformedException {
    WireInput in = new WireInput(bytes, weightsSource);
    T value = type.cast(read(type, in));
    if (in.remaining() > 0) {
      throw new MalformedException(in.remaining() + " bytes follow the end of the message");
    }
    return value;
  }

  public void write(Type type, Object value, WireOutput out) {
    codec(type).write(value, out);
  }

  public Object read(Type type, WireInput in) throws MalformedException {
    return codec(type).read(in);
  }

  Codec codec(Type type) {
    Codec known = codecs.get(type);
    if (known == null) {
      known = derive(type);
      codecs.put(type, known);
    }
    return known;
  }

  private Codec derive(Type type) {
    if (type instanceof ParameterizedType generic) {
      return deriveGeneric(generic);
    }
    if (!(type instanceof Class<?> plain)) {
      throw new IllegalArgumentException("no codec for " + type);
    }
    Codec simple = SimpleCodecs.find(plain);
    if (simple != null) {
      return simple;
    }
    CodedBy own = plain.getAnnotation(CodedBy.class);
    if (own != null) {
      return construct(own.value());
    }
    if (plain.isEnum()) {
      return new FamilyCodecs.OfEnum(plain);
    }
    if (plain.isRecord()) {
      return new RecordCodec(this, plain);
    }
    if (plain.isSealed()) {
      return new FamilyCodecs.OfSealed(this, plain);
    }
    if (plain.isInterface()) {
      return new FamilyCodecs.OfNamed(this, plain, named);
    }
    throw new IllegalArgumentException("no codec for " + type);
  }

  private static Codec construct(Class<? extends Codec> codec) {
    try {
      Constructor<? extends Codec> constructor = codec.getDeclaredConstructor();
      constructor.setAccessible(true);
      return constructor.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(codec + " needs a constructor without parameters", e);
    }
  }

  private Codec deriveGeneric(ParameterizedType type) {
    Type[] arguments = type.getActualTypeArguments();
    if (type.getRawType() == List.class) {
      return new ContainerCodecs.OfList(this, arguments[0]);
    }
    if (type.getRawType() == Optional.class) {
      return new ContainerCodecs.OfOptional(this, arguments[0]);
    }
    if (type.getRawType() == SortedMap.class) {
      return new ContainerCodecs.OfSortedMap(this, arguments[0], arguments[1]);
    }
    throw new IllegalArgumentException("no codec for " + type);
  }
}
