package io.kindred.learning.data;

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
    TwoParts<Item> parts = new TwoParts<>(items, Item::test);
    byte[] train = new byte[Math.multiplyExact(parts.train().size(), width)];
    byte[] test = new byte[Math.multiplyExact(parts.test().size(), width)];
    files.readAll(
        set,
        items.stream().map(Item::file).toList(),
        (index, bytes) -> {
          Item item = items.get(index);
          files
              .picture(set + "/" + item.file(), bytes)
              .square(side, colours, item.test() ? test : train, parts.place(index) * width);
        });
    ByteScaling scaling = ByteScaling.fit(train);
    return new Dataset(
        name,
        List.of(colours, side, side),
        classes,
        new Samples(scaling.features(train, width), TwoParts.labels(parts.train(), Item::label)),
        new Samples(scaling.features(test, width), TwoParts.labels(parts.test(), Item::label)));
  }
}
