package io.kindred.learning.data;

import io.kindred.core.random.RandomStreams;
import io.kindred.core.settings.Complaint;
import io.kindred.core.settings.Named;
import io.kindred.core.settings.Setting;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tiny ImageNet (Stanford CS231n): JPEG files of 64 x 64, 500 a class for training. The files that
 * the publication calls test have no labels, so that the common test set is {@code val}, as in
 * published figures. Classes are numbered as {@code wnids.txt} lists them.
 */
@Named(
    value = "tiny-imagenet",
    summary = "colour pictures, 3x64x64, 200 classes, 100,000 + 10,000 (jpeg tree)")
public record TinyImageNet(
    @Setting(doc = "how many classes, from the start of the list", fallback = "200", min = 2)
        int classes)
    implements DataSource {
  private static final String SET = "tiny-imagenet";
  private static final int SIDE = 64;

  @Override
  public Dataset load(RandomStreams streams, DataFiles files) {
    SortedMap<String, Integer> numbers = numbers(files);
    SortedMap<String, String> validation = validation(files);
    List<String> names = files.list(SET, "*.JPEG", name -> name.endsWith(".JPEG"));
    List<PictureSet.Item> items = new ArrayList<>();
    for (String name : names) {
      List<String> tail = FileName.tail("/" + name, 4);
      if (tail.size() == 4 && tail.getFirst().equals("train")) {
        add(items, name, numbers.get(tail.get(1)), false);
      } else if (tail.size() == 4 && tail.get(1).equals("val")) {
        String word = validation.get(tail.getLast());
        if (word == null) {
          throw new DamagedDataException(
              SET + "/val/val_annotations.txt", "its end", "it does not name " + tail.getLast());
        }
        add(items, name, numbers.get(word), true);
      }
    }
    items.sort(Comparator.comparing(PictureSet.Item::file));
    requireBothParts(items);
    return new PictureSet(SET, SIDE, 3).read(SET, files, classes, items);
  }

  private static void add(
      List<PictureSet.Item> items, String name, @Nullable Integer label, boolean test) {
    if (label != null) {
      items.add(new PictureSet.Item(name, label, test));
    }
  }

  private SortedMap<String, Integer> numbers(DataFiles files) {
    TextLines lines = TextLines.of(SET + "/wnids.txt", files.read(SET, "wnids.txt"));
    if (classes > lines.count()) {
      throw new Complaint(
          "dataset.classes",
          classes + " classes are asked for, but the list has " + lines.count(),
          "choose at most " + lines.count());
    }
    SortedMap<String, Integer> numbers = new TreeMap<>();
    for (int i = 0; i < classes; i++) {
      if (numbers.put(lines.line(i).strip(), i) != null) {
        throw lines.damaged(i, "the class " + lines.line(i) + " comes twice");
      }
    }
    return numbers;
  }

  private static SortedMap<String, String> validation(DataFiles files) {
    String name = "val/val_annotations.txt";
    TextLines lines = TextLines.of(SET + "/" + name, files.read(SET, name));
    SortedMap<String, String> words = new TreeMap<>();
    for (int i = 0; i < lines.count(); i++) {
      // File, class, and the four corners of the box around the object.
      String[] parts = lines.words(i, '\t', 6);
      words.put(parts[0], parts[1]);
    }
    return words;
  }

  private static void requireBothParts(List<PictureSet.Item> items) {
    for (boolean test : new boolean[] {false, true}) {
      if (items.stream().noneMatch(item -> item.test() == test)) {
        throw new MissingDataException(SET, test ? "val/images/*.JPEG" : "train/*/images/*.JPEG");
      }
    }
  }
}
