package io.kindred.protocol.overlay;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Modified copies of immutable lists and maps. */
public final class Copies {
  private Copies() {}

  public static <T> List<T> with(List<T> list, T more) {
    List<T> copy = new ArrayList<>(list);
    copy.add(more);
    return Collections.unmodifiableList(copy);
  }

  public static <T> List<T> without(List<T> list, T removed) {
    List<T> copy = new ArrayList<>(list);
    copy.remove(removed);
    return Collections.unmodifiableList(copy);
  }

  /** The last {@code most} elements; the list itself if it has no more than that. */
  public static <T> List<T> takeLast(int most, List<T> list) {
    return list.size() > most ? List.copyOf(list.subList(list.size() - most, list.size())) : list;
  }

  public static <K, V> SortedMap<K, V> with(SortedMap<K, V> map, K key, V value) {
    SortedMap<K, V> copy = new TreeMap<>(map);
    copy.put(key, value);
    return Collections.unmodifiableSortedMap(copy);
  }

  public static <K, V> SortedMap<K, V> without(SortedMap<K, V> map, K key) {
    SortedMap<K, V> copy = new TreeMap<>(map);
    copy.remove(key);
    return Collections.unmodifiableSortedMap(copy);
  }
}
