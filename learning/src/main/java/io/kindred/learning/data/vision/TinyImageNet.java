package io.kindred.learning.data.vision;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStreams;
import io.kindred.learning.data.DamagedDataException;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.DataSource;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.MissingDataException;
import io.kindred.learning.data.format.FileName;
import io.kindred.learning.data.format.TextLines;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tiny ImageNet (Stanford CS231n): JPEG files of 64 x 64, 500 a class for training. The published
 * test files have no labels, so the common test set is {@code val}, as in published results.
 * Classes are numbered as {@code wnids.txt} lists them.
 */
@Named(
    value = "tiny-imagenet",
    summary = "colour pictures, 3x64x64, 200 classes, 100,000 + 10,000 (jpeg tree)")
public record TinyImageNet(
    @Setting(doc = "number of classes, from the start of the list", fallback = "200", min = 2)
        int classes)
    implements DataSource {
  private static final String SET = "tiny-imagenet";
  private static final int SIDE = 64;

  @Override
  public Dataset load(RandomStreams streams, DataFiles files) {
    SortedMap<String, Integer> numbers = classNumbers(files);
    SortedMap<String, String> validation = validationClasses(files);
    List<String> names = files.list(SET, "*.JPEG", name -> name.endsWith(".JPEG"));
    List<ImageSetReader.LabelledFile> labelledFiles = new ArrayList<>();
    for (String name : names) {
      List<String> tail = FileName.lastParts("/" + name, 4);
      if (tail.size() == 4 && tail.getFirst().equals("train")) {
        add(labelledFiles, name, numbers.get(tail.get(1)), false);
      } else if (tail.size() == 4 && tail.get(1).equals("val")) {
        String word = validation.get(tail.getLast());
        if (word == null) {
          throw new DamagedDataException(
              SET + "/val/val_annotations.txt",
              "its end",
              "the file does not name " + tail.getLast());
        }
        add(labelledFiles, name, numbers.get(word), true);
      }
    }
    labelledFiles.sort(Comparator.comparing(ImageSetReader.LabelledFile::file));
    requireBothParts(labelledFiles);
    return new ImageSetReader(SET, SIDE, 3).read(SET, files, classes, labelledFiles);
  }

  private static void add(
      List<ImageSetReader.LabelledFile> labelledFiles,
      String name,
      @Nullable Integer label,
      boolean test) {
    if (label != null) {
      labelledFiles.add(new ImageSetReader.LabelledFile(name, label, test));
    }
  }

  private SortedMap<String, Integer> classNumbers(DataFiles files) {
    TextLines lines = TextLines.of(SET + "/wnids.txt", files.read(SET, "wnids.txt"));
    if (classes > lines.count()) {
      throw new SettingException(
          "dataset.classes",
          classes + " classes are requested, but the list has " + lines.count(),
          "choose at most " + lines.count());
    }
    SortedMap<String, Integer> numbers = new TreeMap<>();
    for (int i = 0; i < classes; i++) {
      if (numbers.put(lines.line(i).strip(), i) != null) {
        throw lines.damaged(i, "the class " + lines.line(i) + " occurs twice");
      }
    }
    return numbers;
  }

  private static SortedMap<String, String> validationClasses(DataFiles files) {
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

  private static void requireBothParts(List<ImageSetReader.LabelledFile> labelledFiles) {
    for (boolean test : new boolean[] {false, true}) {
      if (labelledFiles.stream().noneMatch(labelledFile -> labelledFile.test() == test)) {
        throw new MissingDataException(SET, test ? "val/images/*.JPEG" : "train/*/images/*.JPEG");
      }
    }
  }
}
