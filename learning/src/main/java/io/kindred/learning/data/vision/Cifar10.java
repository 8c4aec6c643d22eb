package io.kindred.learning.data.vision;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.random.RandomStreams;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.DataSource;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Samples;
import java.util.ArrayList;
import java.util.List;

/**
 * CIFAR-10 (Krizhevsky, 2009) in its original binary files: records of one label byte and 3072
 * colour bytes. Of the five training batches the first is required; the others are read if they
 * exist.
 */
@Named(
    value = "cifar-10",
    summary = "small colour pictures, 3x32x32, 10 classes, 10,000 a batch + 10,000")
public record Cifar10(
    @Setting(
            doc = "training samples from the start of the files; 0 takes all",
            fallback = "0",
            min = 0)
        int samples,
    @Setting(doc = "test samples from the start of the file; 0 takes all", fallback = "0", min = 0)
        int testSamples)
    implements DataSource {
  private static final String SET = "cifar-10";
  private static final int CLASSES = 10;
  private static final int BATCHES = 5;
  private static final CifarRecords RECORDS = new CifarRecords(SET, 1, 0, CLASSES);
  private static final ByteScaling SCALING = new ByteScaling(255 * 0.4734, 255 * 0.2516);

  @Override
  public Dataset load(RandomStreams streams, DataFiles files) {
    List<String> batches = new ArrayList<>();
    for (int batch = 1; batch <= BATCHES; batch++) {
      String file = "data_batch_" + batch + ".bin";
      if (batch == 1 || files.has(SET, file)) {
        batches.add(file);
      }
    }
    return new Dataset(
            SET,
            CifarRecords.SHAPE,
            CLASSES,
            part(RECORDS.read(files, batches, samples, "samples")),
            part(RECORDS.read(files, List.of("test_batch.bin"), testSamples, "testSamples")))
        .named(
            "airplane",
            "automobile",
            "bird",
            "cat",
            "deer",
            "dog",
            "frog",
            "horse",
            "ship",
            "truck");
  }

  private static Samples part(CifarRecords.Decoded decoded) {
    return new Samples(
        SCALING.features(decoded.pictures, CifarRecords.PICTURE_BYTES), decoded.labels);
  }
}
