package io.kindred.learning.data;

import io.kindred.core.random.RandomStreams;
import io.kindred.core.settings.Named;
import io.kindred.core.settings.Setting;
import io.kindred.core.weights.Ints;
import java.util.ArrayList;
import java.util.List;

/**
 * CIFAR-10 (Krizhevsky, 2009) in its original binary files: records of one label byte and 3072
 * colour bytes. However many of the five training batches are there are taken, the first at least.
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
  private static final int PICTURE_BYTES = 3 * 32 * 32;
  private static final int RECORD_BYTES = 1 + PICTURE_BYTES;
  private static final int BATCHES = 5;
  private static final float MEAN = 0.4734f;
  private static final float DEVIATION = 0.2516f;

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
        List.of(3, 32, 32),
        CLASSES,
        read(files, batches, samples, "samples"),
        read(files, List.of("test_batch.bin"), testSamples, "testSamples"));
  }

  private static Samples read(DataFiles files, List<String> names, int wanted, String setting) {
    List<byte[]> contents = new ArrayList<>();
    int there = 0;
    for (String name : names) {
      byte[] bytes = files.read(SET, name);
      int whole = bytes.length / RECORD_BYTES;
      if (whole == 0 || bytes.length % RECORD_BYTES != 0) {
        throw new DamagedDataException(
            SET + "/" + name,
            "record " + whole,
            (bytes.length % RECORD_BYTES) + " of its " + RECORD_BYTES + " bytes are there");
      }
      contents.add(bytes);
      there += whole;
    }
    return decode(names, contents, MnistFamily.count(wanted, there, setting));
  }

  private static Samples decode(List<String> names, List<byte[]> contents, int count) {
    byte[] pictures = new byte[count * PICTURE_BYTES];
    int[] labels = new int[count];
    int next = 0;
    for (int f = 0; f < contents.size(); f++) {
      byte[] bytes = contents.get(f);
      for (int record = 0; record < bytes.length / RECORD_BYTES && next < count; record++) {
        labels[next] = bytes[record * RECORD_BYTES] & 0xff;
        if (labels[next] >= CLASSES) {
          throw new DamagedDataException(
              SET + "/" + names.get(f), "record " + record, "label " + labels[next]);
        }
        System.arraycopy(
            bytes, record * RECORD_BYTES + 1, pictures, next * PICTURE_BYTES, PICTURE_BYTES);
        next++;
      }
    }
    return new Samples(
        new ByteFeatures(pictures, PICTURE_BYTES, 1 / (255 * DEVIATION), -MEAN / DEVIATION),
        Ints.wrap(labels));
  }
}
