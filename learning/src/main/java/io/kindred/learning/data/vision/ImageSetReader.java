package io.kindred.learning.data.vision;

import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.TrainTestSplit;
import java.util.List;

/** Turns labelled image files into a data set of square pictures of one size. */
final class ImageSetReader {
  /** One file: its name in the set, its class, and whether it belongs to the test set. */
  record LabelledFile(String file, int label, boolean test) {}

  private final String set;
  private final int side;
  private final int colours;

  ImageSetReader(String set, int side, int colours) {
    this.set = set;
    this.side = side;
    this.colours = colours;
  }

  /** {@code labelledFiles} must be sorted by file. */
  Dataset read(String name, DataFiles files, int classes, List<LabelledFile> labelledFiles) {
    int width = colours * side * side;
    TrainTestSplit<LabelledFile> parts = new TrainTestSplit<>(labelledFiles, LabelledFile::test);
    byte[] train = new byte[Math.multiplyExact(parts.train().size(), width)];
    byte[] test = new byte[Math.multiplyExact(parts.test().size(), width)];
    files.readAll(
        set,
        labelledFiles.stream().map(LabelledFile::file).toList(),
        (index, bytes) -> {
          LabelledFile labelledFile = labelledFiles.get(index);
          files
              .picture(set + "/" + labelledFile.file(), bytes)
              .writeSquare(
                  side,
                  colours,
                  labelledFile.test() ? test : train,
                  parts.positionInPart(index) * width);
        });
    ByteScaling scaling = ByteScaling.fit(train);
    return new Dataset(
        name,
        List.of(colours, side, side),
        classes,
        new Samples(
            scaling.features(train, width),
            TrainTestSplit.labels(parts.train(), LabelledFile::label)),
        new Samples(
            scaling.features(test, width),
            TrainTestSplit.labels(parts.test(), LabelledFile::label)));
  }
}
