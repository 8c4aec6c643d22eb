package io.kindred.learning.data.vision;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.random.RandomStreams;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.DataSource;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Samples;
import java.util.List;

/**
 * CIFAR-100 (Krizhevsky, 2009) in its original binary files: records of a coarse label, a fine
 * label and 3072 colour bytes.
 */
@Named(
    value = "cifar-100",
    summary = "small colour pictures, 3x32x32, 100 classes in 20 groups, 50,000 + 10,000")
public record Cifar100(
    @Setting(
            doc = "what a class is: one of the 100 classes, or one of their 20 groups",
            fallback = "fine")
        Labels labels,
    @Setting(
            doc = "training samples from the start of the file; 0 takes all",
            fallback = "0",
            min = 0)
        int samples,
    @Setting(doc = "test samples from the start of the file; 0 takes all", fallback = "0", min = 0)
        int testSamples)
    implements DataSource {
  /** Which of the two labels is the class. */
  public enum Labels {
    FINE(1, 100),
    COARSE(0, 20);

    private final int labelIndex;
    private final int classes;

    Labels(int labelIndex, int classes) {
      this.labelIndex = labelIndex;
      this.classes = classes;
    }
  }

  private static final String SET = "cifar-100";

  @Override
  public Dataset load(RandomStreams streams, DataFiles files) {
    CifarRecords records = new CifarRecords(SET, 2, labels.labelIndex, labels.classes);
    CifarRecords.Decoded train = records.read(files, List.of("train.bin"), samples, "samples");
    CifarRecords.Decoded test =
        records.read(files, List.of("test.bin"), testSamples, "testSamples");
    ByteScaling scaling = ByteScaling.fit(train.pictures);
    return new Dataset(
        SET, CifarRecords.SHAPE, labels.classes, part(train, scaling), part(test, scaling));
  }

  private static Samples part(CifarRecords.Decoded decoded, ByteScaling scaling) {
    return new Samples(
        scaling.features(decoded.pictures, CifarRecords.PICTURE_BYTES), decoded.labels);
  }
}
