package io.kindred.learning.data.vision;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.random.RandomStreams;
import io.kindred.learning.data.DamagedDataException;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.DataSource;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.MissingDataException;
import io.kindred.learning.data.StratifiedSplit;
import io.kindred.learning.data.format.FileName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/**
 * A user's own pictures: a folder per class with PNG or JPEG files. Folders {@code train} and
 * {@code test} above the classes are the parts, if they exist; otherwise a share of every class is
 * drawn for the test. Classes are numbered in the order of their names.
 */
@Named(value = "images", summary = "your own pictures: one folder per class, png or jpg")
public record ImageFolder(
    @Setting(
            doc = "folder of the pictures: a path below the data folder, or any other path",
            fallback = "images")
        String folder,
    @Setting(
            doc = "width and height in pixels to which pictures are scaled",
            fallback = "32",
            min = 1)
        int size,
    @Setting(doc = "whether pictures keep their colours", fallback = "true") boolean colour,
    @Setting(
            doc =
                "share of each class that becomes the common test set if there is no folder"
                    + " `test`",
            fallback = "0.2",
            above = 0,
            max = 0.9)
        double testShare)
    implements DataSource {
  @Override
  public Dataset load(RandomStreams streams, DataFiles files) {
    List<String> names = files.list(folder, "CLASS/*.png or *.jpg", ImageFolder::isPicture);
    boolean given = names.stream().anyMatch(name -> part(name).equals("test"));
    TreeSet<String> found = new TreeSet<>();
    names.forEach(name -> found.add(className(name)));
    List<String> classes = List.copyOf(found);
    if (classes.size() < 2) {
      throw new DamagedDataException(
          folder, "its folders", "at least two classes are needed, but there is only " + classes);
    }
    int[] labels =
        names.stream()
            .mapToInt(name -> Collections.binarySearch(classes, className(name)))
            .toArray();
    boolean[] test =
        given
            ? new boolean[labels.length]
            : StratifiedSplit.draw(labels, classes.size(), testShare, streams);
    List<ImageSetReader.LabelledFile> labelledFiles = new ArrayList<>();
    for (int i = 0; i < labels.length; i++) {
      boolean isTest = given ? part(names.get(i)).equals("test") : test[i];
      labelledFiles.add(new ImageSetReader.LabelledFile(names.get(i), labels[i], isTest));
    }
    if (labelledFiles.stream().allMatch(ImageSetReader.LabelledFile::test)) {
      throw new MissingDataException(folder, "train/CLASS/*.png or *.jpg");
    }
    return new ImageSetReader(folder, size, colour ? 3 : 1)
        .read("images", files, classes.size(), labelledFiles);
  }

  private static boolean isPicture(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.endsWith(".png") || lower.endsWith(".jpg") || lower.endsWith(".jpeg");
  }

  private String className(String name) {
    List<String> tail = FileName.lastParts(name, 2);
    if (tail.isEmpty()) {
      throw new DamagedDataException(
          folder + "/" + name, "its name", "the file is not in a folder of a class");
    }
    return tail.getFirst();
  }

  private static String part(String name) {
    List<String> tail = FileName.lastParts(name, 3);
    return tail.isEmpty() ? "" : tail.getFirst();
  }
}
