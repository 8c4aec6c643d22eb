package io.kindred.environment.trace;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Values that hold from a time on until the next one; empty before the first time. */
public final class Timeline<T> {
  private final TreeMap<Double, T> values = new TreeMap<>();

  /** False if the time has a value already. */
  public boolean add(double seconds, T value) {
    return values.putIfAbsent(seconds, value) == null;
  }

  public Optional<T> at(double seconds) {
    return Optional.ofNullable(values.floorEntry(seconds)).map(Map.Entry::getValue);
  }

  /** Whether the value depends on the time. */
  public boolean changes() {
    return values.size() > 1 || values.firstKey() > 0;
  }
}
