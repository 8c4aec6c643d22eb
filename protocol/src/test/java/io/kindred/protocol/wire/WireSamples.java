package io.kindred.protocol.wire;

import io.kindred.core.compute.PureFunction;
import io.kindred.core.config.Named;
import io.kindred.core.peer.LocalMessage;
import io.kindred.core.peer.Message;
import io.kindred.core.weights.Bytes;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Records that implement open interfaces in the tests of the codec. */
final class WireSamples {
  private WireSamples() {}

  static final List<Class<? extends Record>> ALL =
      List.of(
          Hello.class, Pair.class, Everything.class, Whisper.class, Square.class, Squared.class);

  enum Mood {
    CALM,
    MERRY
  }

  @Named("test/hello")
  record Hello(
      String text,
      int number,
      double ratio,
      Weights weights,
      Mood mood,
      Optional<Floats> extra,
      List<Long> longs)
      implements Message {}

  @Named("test/pair")
  record Pair(Weights first, Weights second) implements Message {}

  @Named("test/everything")
  record Everything(
      boolean truth,
      float small,
      SortedMap<String, Ints> table,
      Bytes proof,
      List<Optional<Mood>> moods,
      SortedMap<Integer, List<Boolean>> nested)
      implements Message {}

  @Named("test/whisper")
  record Whisper(String text) implements LocalMessage {}

  @Named("test/square")
  record Square(long side) implements PureFunction {
    @Override
    public Answer apply() {
      return new Squared(side * side);
    }

    @Override
    public long operations() {
      return 1;
    }
  }

  @Named("test/squared")
  record Squared(long area) implements PureFunction.Answer {}

  static Wire wire() {
    return new Wire(ALL);
  }

  static Weights weights(float... values) {
    return Weights.copyOf(Layout.builder().add("all", values.length).build(), values);
  }

  static Hello hello() {
    return new Hello(
        "h\u00e9llo",
        -2,
        0.1,
        weights(1, -2.5f, 0.25f),
        Mood.MERRY,
        Optional.of(Floats.of(1.5f)),
        List.of(5L, -(1L << 40)));
  }

  static <T> T decode(Wire wire, Class<T> type, Wire.Encoded encoded) throws MalformedException {
    return decode(wire, type, encoded.bytes(), encoded.weights());
  }

  static <T> T decode(Wire wire, Class<T> type, byte[] bytes, List<Weights> weights)
      throws MalformedException {
    NavigableMap<Digest, Weights> known = new TreeMap<>();
    for (Weights each : weights) {
      known.put(each.digest(), each);
    }
    return wire.decode(type, bytes, known::get);
  }
}
