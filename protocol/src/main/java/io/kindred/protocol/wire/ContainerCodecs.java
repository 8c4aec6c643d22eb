package io.kindred.protocol.wire;

import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Codecs of lists, optional values and sorted maps; hash maps have no canonical order and so no
 * codec.
 */
final class ContainerCodecs {
  private ContainerCodecs() {}

  /** A codec that is looked up at first use: a type may contain itself. */
  static final class Part {
    private final Wire wire;
    private final Type type;
    private @Nullable Codec known;

    Part(Wire wire, Type type) {
      this.wire = wire;
      this.type = type;
    }

    Codec codec() {
      Codec codec = known;
      if (codec == null) {
        codec = wire.codec(type);
        known = codec;
      }
      return codec;
    }
  }

  static final class OfList implements Codec {
    private final Part element;

    OfList(Wire wire, Type element) {
      this.element = new Part(wire, element);
    }

    @Override
    public void write(Object value, WireOutput out) {
      List<?> list = (List<?>) value;
      out.writeCount(list.size());
      Codec codec = element.codec();
      for (Object each : list) {
        codec.write(each, out);
      }
    }

    @Override
    public Object read(WireInput in) throws MalformedException {
      int count = in.readCount(0);
      List<Object> list = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        list.add(element.codec().read(in));
      }
      return Collections.unmodifiableList(list);
    }
  }

  static final class OfOptional implements Codec {
    private final Part element;

    OfOptional(Wire wire, Type element) {
      this.element = new Part(wire, element);
    }

    @Override
    public void write(Object value, WireOutput out) {
      Optional<?> optional = (Optional<?>) value;
      out.writeByte(optional.isPresent() ? 1 : 0);
      optional.ifPresent(each -> element.codec().write(each, out));
    }

    @Override
    public Object read(WireInput in) throws MalformedException {
      return in.readOrdinal(2, "truth value") == 1
          ? Optional.of(element.codec().read(in))
          : Optional.empty();
    }
  }

  static final class OfSortedMap implements Codec {
    private final Part key;
    private final Part element;

    OfSortedMap(Wire wire, Type key, Type element) {
      this.key = new Part(wire, key);
      this.element = new Part(wire, element);
    }

    @Override
    public void write(Object value, WireOutput out) {
      SortedMap<?, ?> map = (SortedMap<?, ?>) value;
      out.writeCount(map.size());
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        key.codec().write(entry.getKey(), out);
        element.codec().write(entry.getValue(), out);
      }
    }

    @Override
    public Object read(WireInput in) throws MalformedException {
      int count = in.readCount(0);
      SortedMap<Object, Object> map = new TreeMap<>();
      for (int i = 0; i < count; i++) {
        Object nextKey = key.codec().read(in);
        map.put(nextKey, element.codec().read(in));
      }
      return Collections.unmodifiableSortedMap(map);
    }
  }
}
