package io.kindred.learning.data.vision;

import io.kindred.core.weights.Ints;
import io.kindred.learning.data.DamagedDataException;
import io.kindred.learning.data.DataFiles;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the binary records of CIFAR-10 and CIFAR-100: one or two label bytes, then 3072 colour
 * bytes.
 *
 * @param set the data set's folder
 * @param labelBytes number of label bytes before a picture
 * @param labelIndex index of the label byte to read
 * @param classes exclusive upper bound of that label
 */
record CifarRecords(String set, int labelBytes, int labelIndex, int classes) {
  static final List<Integer> SHAPE = List.of(3, 32, 32);
  static final int PICTURE_BYTES = 3 * 32 * 32;

  /** Pictures and labels, not scaled yet. */
  static final class Decoded {
    final byte[] pictures;
    final Ints labels;

    Decoded(byte[] pictures, Ints labels) {
      this.pictures = pictures;
      this.labels = labels;
    }
  }

  Decoded read(DataFiles files, List<String> names, int wanted, String setting) {
    List<byte[]> contents = new ArrayList<>();
    int available = 0;
    for (String name : names) {
      byte[] bytes = files.read(set, name);
      int whole = bytes.length / recordBytes();
      if (whole == 0 || bytes.length % recordBytes() != 0) {
        throw new DamagedDataException(
            set + "/" + name,
            "record " + whole,
            bytes.length % recordBytes() + " of its " + recordBytes() + " bytes are present");
      }
      contents.add(bytes);
      available += whole;
    }
    return decode(names, contents, MnistFamily.resolveCount(wanted, available, setting));
  }

  private int recordBytes() {
    return labelBytes + PICTURE_BYTES;
  }

  private Decoded decode(List<String> names, List<byte[]> contents, int count) {
    byte[] pictures = new byte[count * PICTURE_BYTES];
    int[] labels = new int[count];
    int next = 0;
    for (int f = 0; f < contents.size(); f++) {
      byte[] bytes = contents.get(f);
      for (int record = 0; record < bytes.length / recordBytes() && next < count; record++) {
        int at = record * recordBytes();
        labels[next] = bytes[at + labelIndex] & 0xff;
        if (labels[next] >= classes) {
          throw new DamagedDataException(
              set + "/" + names.get(f),
              "record " + record,
              "label " + labels[next] + " of " + classes + " classes");
        }
        System.arraycopy(bytes, at + labelBytes, pictures, next * PICTURE_BYTES, PICTURE_BYTES);
        next++;
      }
    }
    return new Decoded(pictures, Ints.wrap(labels));
  }
}
