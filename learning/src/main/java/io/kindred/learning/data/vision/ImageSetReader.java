package io.kindred.learning.data.vision;

import io.kindred.core.weights.Ints;
import io.kindred.learning.data.DamagedDataException;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.DataReading;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.FeatureScale;
import io.kindred.learning.data.Features;
import io.kindred.learning.data.Picture;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.TaskDescription;
import io.kindred.learning.data.TrainTestSplit;
import io.kindred.learning.data.UnusedFile;
import io.kindred.learning.data.Users;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Turns labelled image files into a data set of square pictures of one size. */
final class ImageSetReader {
  /** One file: its name in the set, its class, its user (-1 if unknown), and its part. */
  record LabelledFile(String file, int label, int user, boolean test) {
    LabelledFile(String file, int label, boolean test) {
      this(file, label, -1, test);
    }
  }

  private final String set;
  private final int side;
  private final int colours;
  private final Picture.Fit fit;
  private final boolean skipsDamaged;
  private final List<UnusedFile> damaged = new ArrayList<>();
  private final PictureSizes sizes;

  ImageSetReader(String set, int side, int colours) {
    this(set, side, colours, Picture.Fit.CROP, false);
  }

  /**
   * A reader for pictures of any size.
   *
   * @param skipsDamaged whether a damaged file is left out instead of ending the reading
   */
  ImageSetReader(String set, int side, int colours, Picture.Fit fit, boolean skipsDamaged) {
    this.set = set;
    this.side = side;
    this.colours = colours;
    this.fit = fit;
    this.skipsDamaged = skipsDamaged;
    this.sizes = new PictureSizes(side, colours, fit);
  }

  /** {@code labelledFiles} must be sorted by file. */
  Dataset read(String name, DataFiles files, int classes, List<LabelledFile> labelledFiles) {
    return read(name, files, classes, labelledFiles, List.of(), Optional.empty());
  }

  /**
   * Reads the files into a data set.
   *
   * @param labelledFiles sorted by file
   * @param users names of the users; empty if they are unknown
   * @param given the scaling to apply; empty to fit it on the training pictures
   */
  Dataset read(
      String name,
      DataFiles files,
      int classes,
      List<LabelledFile> labelledFiles,
      List<String> users,
      Optional<FeatureScale> given) {
    int width = colours * side * side;
    TrainTestSplit<LabelledFile> parts = new TrainTestSplit<>(labelledFiles, LabelledFile::test);
    byte[] train = new byte[Math.multiplyExact(parts.train().size(), width)];
    byte[] test = new byte[Math.multiplyExact(parts.test().size(), width)];
    boolean[] readable = new boolean[labelledFiles.size()];
    files.readAll(
        set,
        labelledFiles.stream().map(LabelledFile::file).toList(),
        (index, bytes) -> {
          LabelledFile labelledFile = labelledFiles.get(index);
          byte[] into = labelledFile.test() ? test : train;
          readable[index] =
              isDecoded(files, labelledFile, bytes, into, parts.positionInPart(index) * width);
        });
    List<LabelledFile> trainFiles = readable(labelledFiles, readable, false);
    List<LabelledFile> testFiles = readable(labelledFiles, readable, true);
    byte[] trainPixels = whole(train, labelledFiles, readable, false, width);
    ByteScaling scaling = given.map(ByteScaling::of).orElseGet(() -> ByteScaling.fit(trainPixels));
    Dataset dataset =
        new Dataset(
            name,
            List.of(colours, side, side),
            classes,
            samples(scaling.features(trainPixels, width), trainFiles, users),
            samples(
                scaling.features(whole(test, labelledFiles, readable, true, width), width),
                testFiles,
                users));
    return dataset.read(
        new DataReading(
            TaskDescription.of(List.of(), List.of(scaling.scale())),
            trainFiles.size() + testFiles.size(),
            damaged,
            sizes.remarks()));
  }

  private boolean isDecoded(
      DataFiles files, LabelledFile labelledFile, byte[] bytes, byte[] pixels, int offset) {
    try {
      Picture picture = files.picture(set + "/" + labelledFile.file(), bytes);
      sizes.add(picture);
      picture.writeSquare(side, colours, fit, pixels, offset);
      return true;
    } catch (DamagedDataException e) {
      if (!skipsDamaged) {
        throw e;
      }
      damaged.add(new UnusedFile(labelledFile.file(), String.valueOf(e.getMessage())));
      return false;
    }
  }

  private static List<LabelledFile> readable(
      List<LabelledFile> labelledFiles, boolean[] readable, boolean test) {
    return IntStream.range(0, readable.length)
        .filter(i -> readable[i])
        .mapToObj(labelledFiles::get)
        .filter(each -> each.test() == test)
        .toList();
  }

  /** The pixels of one part without the gaps that damaged files left. */
  private byte[] whole(
      byte[] pixels,
      List<LabelledFile> labelledFiles,
      boolean[] readable,
      boolean test,
      int width) {
    if (damaged.isEmpty()) {
      return pixels;
    }
    int from = 0;
    int to = 0;
    for (int i = 0; i < readable.length; i++) {
      if (labelledFiles.get(i).test() == test) {
        if (readable[i]) {
          System.arraycopy(pixels, from, pixels, to, width);
          to += width;
        }
        from += width;
      }
    }
    return Arrays.copyOf(pixels, to);
  }

  private static Samples samples(Features features, List<LabelledFile> read, List<String> users) {
    Ints labels = TrainTestSplit.labels(read, LabelledFile::label);
    return new Samples(
        features,
        labels,
        users.isEmpty()
            ? Optional.empty()
            : Optional.of(new Users(TrainTestSplit.labels(read, LabelledFile::user), users)));
  }
}
