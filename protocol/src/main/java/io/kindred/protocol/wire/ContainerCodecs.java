package io.kindred.protocol.wire;

import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Codecs of lists, optional values and sorted maps; hash maps have no canonical order and so no
 * codec.
 */
final class ContainerCodecs {
  private ContainerCodecs() {}

  record OfList(Wire wire, Type element) implements Codec {
    @Override
    public void write(Object value, WireOutput out) {
      List<?> list = (List<?>) value;
      out.writeCount(list.size());
      for (Object each : list) {
        wire.write(element, each, out);
      }
    }

    @Override
    public Object read(WireInput in) throws MalformedException {
      int count = in.readCount(0);
      List<Object> list = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        list.add(wire.read(element, in));
      }
      return Collections.unmodifiableList(list);
    }
  }

  record OfOptional(Wire wire, Type element) implements Codec {
    @Override
    public void write(Object value, WireOutput out) {
      Optional<?> optional = (Optional<?>) value;
      out.writeByte(optional.isPresent() ? 1 : 0);
      optional.ifPresent(each -> wire.write(element, each, out));
    }

    @Override
    public Object read(WireInput in) throws MalformedException {
      return in.readOrdinal(2, "truth value") == 1
          ? Optional.of(wire.read(element, in))
          : Optional.empty();
    }
  }

  record OfSortedMap(Wire wire, Type key, Type element) implements Codec {
    @Override
    public void write(Object value, WireOutput out) {
      SortedMap<?, ?> map = (SortedMap<?, ?>) value;
      out.writeCount(map.size());
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        wire.write(key, entry.getKey(), out);
        wire.write(element, entry.getValue(), out);
      }
    }

    @Override
    public Object read(WireInput in) throws MalformedException {
      int count = in.readCount(0);
      SortedMap<Object, Object> map = new TreeMap<>();
      for (int i = 0; i < count; i++) {
        Object nextKey = wire.read(key, in);
        map.put(nextKey, wire.read(element, in));
      }
      return Collections.unmodifiableSortedMap(map);
    }
  }
}
