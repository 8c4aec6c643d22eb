package io.kindred.learning.data;

import io.kindred.core.weights.Ints;
import java.util.ArrayList;
import java.util.List;

/** Turns picture files, of which the class is known, into a data set of squares of one size. */
final class PictureSet {
  /** One file: its name in the set, its class, and which part it is in. */
  record Item(String file, int label, boolean test) {}

  private final String set;
  private final int side;
  private final int colours;

  PictureSet(String set, int side, int colours) {
    this.set = set;
    this.side = side;
    this.colours = colours;
  }

  /** {@code items} come sorted by file. */
  Dataset read(String name, DataFiles files, int classes, List<Item> items) {
    int width = colours * side * side;
    int tests = (int) items.stream().filter(Item::test).count();
    byte[] train = new byte[Math.multiplyExact(items.size() - tests, width)];
    byte[] test = new byte[Math.multiplyExact(tests, width)];
    int[] places = new int[items.size()];
    int[] next = new int[2];
    for (int i = 0; i < places.length; i++) {
      places[i] = next[items.get(i).test() ? 1 : 0]++;
    }
    files.readAll(
        set,
        items.stream().map(Item::file).toList(),
        (index, bytes) -> {
          Item item = items.get(index);
          files
              .picture(set + "/" + item.file(), bytes)
              .square(side, colours, item.test() ? test : train, places[index] * width);
        });
    ByteScaling scaling = ByteScaling.fit(train);
    return new Dataset(
        name,
        List.of(colours, side, side),
        classes,
        new Samples(scaling.features(train, width), labels(items, false)),
        new Samples(scaling.features(test, width), labels(items, true)));
  }

  private static Ints labels(List<Item> items, boolean test) {
    List<Integer> labels = new ArrayList<>();
    for (Item item : items) {
      if (item.test() == test) {
        labels.add(item.label());
      }
    }
    return Ints.wrap(labels.stream().mapToInt(Integer::intValue).toArray());
  }
}
