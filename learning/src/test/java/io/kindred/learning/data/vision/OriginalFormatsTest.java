package io.kindred.learning.data.vision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStreams;
import io.kindred.learning.data.DamagedDataException;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.InMemoryDataFiles;
import io.kindred.learning.data.MissingDataException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class OriginalFormatsTest {
  private static final RandomStreams STREAMS = new RandomStreams(1);

  private static byte[] idx(int[] extents, byte[] values) {
    return InMemoryDataFiles.idx(8, extents, values);
  }

  private static byte[] pictures(int count) {
    byte[] values = new byte[count * 784];
    for (int i = 0; i < values.length; i++) {
      values[i] = (byte) (i % 251);
    }
    return idx(new int[] {count, 28, 28}, values);
  }

  private static byte[] labels(int... labels) {
    byte[] values = new byte[labels.length];
    for (int i = 0; i < labels.length; i++) {
      values[i] = (byte) labels[i];
    }
    return idx(new int[] {labels.length}, values);
  }

  private static InMemoryDataFiles mnist() {
    return new InMemoryDataFiles()
        .with("mnist/train-images-idx3-ubyte", pictures(3))
        .with("mnist/train-labels-idx1-ubyte", labels(7, 0, 9))
        .with("mnist/t10k-images-idx3-ubyte", pictures(2))
        .with("mnist/t10k-labels-idx1-ubyte", labels(1, 2));
  }

  private static Dataset load(DataFiles files) {
    return new Mnist(0, 0).load(STREAMS, files);
  }

  @Test
  void idxFilesAreReadAsPicturesAndLabels() {
    Dataset dataset = load(mnist());
    assertThat(dataset.train().labels().copy()).containsExactly(7, 0, 9);
    assertThat(dataset.test().count()).isEqualTo(2);
    float[] picture = new float[784];
    dataset.train().features().copy(1, picture, 0);
    // Byte 784 of the values is 784 % 251 = 31: (31 / 255 - 0.1307) / 0.3081.
    assertThat(picture[0]).isCloseTo(-0.029637f, offset(1e-5f));
  }

  @Test
  void onlyAsManySamplesAsAskedForAreTaken() {
    assertThat(new Mnist(2, 1).load(STREAMS, mnist()).train().labels().copy())
        .containsExactly(7, 0);
    assertThatThrownBy(() -> new Mnist(4, 0).load(STREAMS, mnist()))
        .isInstanceOf(SettingException.class)
        .hasMessage("4 samples are requested, but the files hold 3");
  }

  @Test
  void aTruncatedFileIsNamedWithTheByteWhereItEnds() {
    byte[] whole = pictures(3);
    for (int length : new int[] {0, 3, 15, 16, 17, whole.length - 1}) {
      InMemoryDataFiles made =
          mnist().with("mnist/train-images-idx3-ubyte", Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> load(made))
          .as("length %d", length)
          .isInstanceOf(DamagedDataException.class)
          .hasMessageStartingWith("mnist/train-images-idx3-ubyte is damaged at byte ");
    }
  }

  @Test
  void anOverlongFileAHugeExtentAndAnotherTypeAreNamed() {
    byte[] whole = pictures(3);
    byte[] huge = whole.clone();
    huge[4] = 0x7f;
    byte[] other = whole.clone();
    other[2] = 0x0d;
    for (byte[] bytes : new byte[][] {Arrays.copyOf(whole, whole.length + 1), huge, other}) {
      assertThatThrownBy(() -> load(mnist().with("mnist/train-images-idx3-ubyte", bytes)))
          .isInstanceOf(DamagedDataException.class);
    }
  }

  @Test
  void aLabelOutsideTheClassesIsNamedWithItsRecord() {
    assertThatThrownBy(() -> load(mnist().with("mnist/train-labels-idx1-ubyte", labels(7, 10, 9))))
        .isInstanceOf(DamagedDataException.class)
        .hasMessage("mnist/train-labels-idx1-ubyte is damaged at record 1: label 10 of 10 classes");
  }

  @Test
  void asManyLabelsAsPicturesAreNeeded() {
    assertThatThrownBy(() -> load(mnist().with("mnist/train-labels-idx1-ubyte", labels(7, 1))))
        .hasMessageContaining("2 labels for 3 pictures");
  }

  private static byte[] cifar(int... labels) {
    byte[] bytes = new byte[labels.length * 3073];
    for (int i = 0; i < labels.length; i++) {
      bytes[i * 3073] = (byte) labels[i];
      bytes[i * 3073 + 1] = (byte) (100 + i);
    }
    return bytes;
  }

  @Test
  void cifarBatchesThatAreThereAreTaken() {
    InMemoryDataFiles made =
        new InMemoryDataFiles()
            .with("cifar-10/data_batch_1.bin", cifar(3, 4))
            .with("cifar-10/data_batch_3.bin", cifar(5))
            .with("cifar-10/test_batch.bin", cifar(9));
    Dataset dataset = new Cifar10(0, 0).load(STREAMS, made);
    assertThat(dataset.train().labels().copy()).containsExactly(3, 4, 5);
    assertThat(dataset.shape()).containsExactly(3, 32, 32);
    float[] picture = new float[3072];
    dataset.train().features().copy(1, picture, 0);
    assertThat(picture[0]).isCloseTo((101 / 255f - 0.4734f) / 0.2516f, offset(1e-5f));
  }

  @Test
  void aTornCifarRecordAndAWrongLabelAreNamed() {
    InMemoryDataFiles torn =
        new InMemoryDataFiles()
            .with("cifar-10/data_batch_1.bin", Arrays.copyOf(cifar(3, 4), 4000))
            .with("cifar-10/test_batch.bin", cifar(9));
    assertThatThrownBy(() -> new Cifar10(0, 0).load(STREAMS, torn))
        .hasMessage(
            "cifar-10/data_batch_1.bin is damaged at record 1: 927 of its 3073 bytes are present");
    InMemoryDataFiles wrong =
        new InMemoryDataFiles()
            .with("cifar-10/data_batch_1.bin", cifar(3, 10))
            .with("cifar-10/test_batch.bin", cifar(9));
    assertThatThrownBy(() -> new Cifar10(0, 0).load(STREAMS, wrong))
        .hasMessage("cifar-10/data_batch_1.bin is damaged at record 1: label 10 of 10 classes");
  }

  @Test
  void aMissingFileIsNamed() {
    assertThatThrownBy(() -> new FashionMnist(0, 0).load(STREAMS, DataFiles.NONE))
        .isInstanceOf(MissingDataException.class)
        .hasMessage("data set fashion-mnist lacks the file train-images-idx3-ubyte");
  }
}
