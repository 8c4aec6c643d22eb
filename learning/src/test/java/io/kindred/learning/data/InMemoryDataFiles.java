package io.kindred.learning.data;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Files in memory, created by a test. */
public final class InMemoryDataFiles implements DataFiles {
  private final SortedMap<String, byte[]> files = new TreeMap<>();

  public InMemoryDataFiles with(String name, byte[] bytes) {
    files.put(name, bytes);
    return this;
  }

  public InMemoryDataFiles with(String name, String text) {
    return with(name, text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public byte[] read(String set, String file) {
    byte[] bytes = files.get(set + "/" + file);
    if (bytes == null) {
      throw new MissingDataException(set, file);
    }
    return bytes;
  }

  @Override
  public boolean has(String set, String file) {
    return files.containsKey(set + "/" + file);
  }

  private List<String> names(String set, Predicate<String> wanted) {
    return files.keySet().stream()
        .filter(name -> name.startsWith(set + "/"))
        .map(name -> name.substring(set.length() + 1))
        .filter(wanted)
        .toList();
  }

  @Override
  public boolean anyOf(String set, Predicate<String> wanted) {
    return !names(set, wanted).isEmpty();
  }

  @Override
  public List<String> others(String set, Predicate<String> wanted) {
    return names(set, wanted.negate());
  }

  @Override
  public List<String> list(String set, String what, Predicate<String> wanted) {
    List<String> names = names(set, wanted);
    if (names.isEmpty()) {
      throw new MissingDataException(set, what);
    }
    return names;
  }

  /** Backwards, since the contract guarantees no order. */
  @Override
  public void readAll(String set, List<String> names, Visitor visitor) {
    for (int i = names.size() - 1; i >= 0; i--) {
      visitor.visit(i, read(set, names.get(i)));
    }
  }

  /** An idx file of unsigned bytes (type 8) or shorts (type 11). */
  public static byte[] idx(int type, int[] extents, byte[] values) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {0, 0, (byte) type, (byte) extents.length});
    for (int extent : extents) {
      out.writeBytes(
          new byte[] {
            (byte) (extent >>> 24), (byte) (extent >>> 16), (byte) (extent >>> 8), (byte) extent
          });
    }
    out.writeBytes(values);
    return out.toByteArray();
  }

  /** One sample of a data set. */
  public static float[] sample(Samples samples, int index) {
    float[] values = new float[samples.features().width()];
    samples.features().copy(index, values, 0);
    return values;
  }
}
