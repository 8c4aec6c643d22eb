package io.kindred.learning.data.vision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStreams;
import io.kindred.learning.data.DamagedDataException;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.InMemoryDataFiles;
import io.kindred.learning.data.Picture;
import io.kindred.learning.data.Users;
import io.kindred.learning.data.format.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PictureFormatsTest {
  private static final RandomStreams STREAMS = new RandomStreams(1);

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  /** Pictures of 2 rows and 2 columns, enough to tell rows from columns. */
  private static InMemoryDataFiles emnist(String split, int... labels) {
    byte[] pictures = new byte[4 * labels.length];
    pictures[1] = (byte) 200;
    byte[] images = InMemoryDataFiles.idx(8, new int[] {labels.length, 2, 2}, pictures);
    byte[] marks = InMemoryDataFiles.idx(8, new int[] {labels.length}, bytes(labels));
    InMemoryDataFiles files = new InMemoryDataFiles();
    for (String part : new String[] {"train", "test"}) {
      files
          .with("emnist/emnist-" + split + "-" + part + "-images-idx3-ubyte", images)
          .with("emnist/emnist-" + split + "-" + part + "-labels-idx1-ubyte", marks);
    }
    return files;
  }

  @Test
  void emnistPicturesAreTurnedBack() {
    Dataset dataset =
        new Emnist(Emnist.Split.BALANCED, 0, 0).load(STREAMS, emnist("balanced", 46, 0));
    float[] picture = InMemoryDataFiles.sample(dataset.train(), 0);
    // The file has the bright pixel at row 0, column 1; transposed it is at row 1, column 0.
    assertThat(picture[2]).isGreaterThan(picture[1]);
    assertThat(dataset.classes()).isEqualTo(47);
    assertThat(dataset.train().labels().copy()).containsExactly(46, 0);
    // One value of 200 among eight: mean 25, deviation 25 * sqrt(7).
    assertThat(picture[2]).isCloseTo((float) (175 / (25 * Math.sqrt(7))), offset(1e-5f));
  }

  @Test
  void emnistLettersCountFromOne() {
    Emnist letters = new Emnist(Emnist.Split.LETTERS, 0, 0);
    assertThat(letters.load(STREAMS, emnist("letters", 1, 26)).test().labels().copy())
        .containsExactly(0, 25);
    for (int wrong : new int[] {0, 27}) {
      assertThatThrownBy(() -> letters.load(STREAMS, emnist("letters", 1, wrong)))
          .hasMessage(
              "emnist/emnist-letters-train-labels-idx1-ubyte is damaged at record 1: label "
                  + wrong
                  + " of 26 classes");
    }
  }

  @Test
  void aTornOrEmptyEmnistFileIsNamed() {
    String name = "emnist/emnist-digits-test-images-idx3-ubyte";
    byte[] whole = emnist("digits", 1, 2).read("emnist", name.substring(7));
    for (int length : new int[] {0, 10, whole.length - 1}) {
      InMemoryDataFiles torn = emnist("digits", 1, 2).with(name, Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> new Emnist(Emnist.Split.DIGITS, 0, 0).load(STREAMS, torn))
          .isInstanceOf(DamagedDataException.class)
          .hasMessageStartingWith(name + " is damaged at byte " + length);
    }
  }

  private static byte[] cifar100(int... coarseAndFine) {
    byte[] records = new byte[coarseAndFine.length / 2 * 3074];
    for (int i = 0; i < coarseAndFine.length / 2; i++) {
      records[i * 3074] = (byte) coarseAndFine[2 * i];
      records[i * 3074 + 1] = (byte) coarseAndFine[2 * i + 1];
      records[i * 3074 + 2] = (byte) (50 + i);
    }
    return records;
  }

  private static InMemoryDataFiles cifar100Files(byte[] train) {
    return new InMemoryDataFiles()
        .with("cifar-100/train.bin", train)
        .with("cifar-100/test.bin", cifar100(3, 77));
  }

  @Test
  void cifar100HasFineAndCoarseLabels() {
    InMemoryDataFiles files = cifar100Files(cifar100(19, 99, 0, 5));
    Dataset fine = new Cifar100(Cifar100.Labels.FINE, 0, 0).load(STREAMS, files);
    assertThat(fine.train().labels().copy()).containsExactly(99, 5);
    assertThat(fine.classes()).isEqualTo(100);
    assertThat(fine.shape()).containsExactly(3, 32, 32);
    // The record's third byte is the first pixel: 50 and 51 differ from zeros in proportion.
    float[] first = InMemoryDataFiles.sample(fine.train(), 0);
    float[] second = InMemoryDataFiles.sample(fine.train(), 1);
    assertThat(first[0] - first[1]).isCloseTo((second[0] - second[1]) * 50 / 51, offset(1e-3f));
    Dataset coarse = new Cifar100(Cifar100.Labels.COARSE, 1, 0).load(STREAMS, files);
    assertThat(coarse.train().labels().copy()).containsExactly(19);
    assertThat(coarse.classes()).isEqualTo(20);
  }

  @Test
  void tornAndWrongCifar100RecordsAreNamed() {
    Cifar100 fine = new Cifar100(Cifar100.Labels.FINE, 0, 0);
    assertThatThrownBy(() -> fine.load(STREAMS, cifar100Files(cifar100(1, 100))))
        .hasMessage("cifar-100/train.bin is damaged at record 0: label 100 of 100 classes");
    byte[] torn = Arrays.copyOf(cifar100(1, 2, 3, 4), 3080);
    assertThatThrownBy(() -> fine.load(STREAMS, cifar100Files(torn)))
        .hasMessage("cifar-100/train.bin is damaged at record 1: 6 of its 3074 bytes are present");
    assertThatThrownBy(() -> fine.load(STREAMS, cifar100Files(new byte[0])))
        .hasMessage("cifar-100/train.bin is damaged at record 0: 0 of its 3074 bytes are present");
  }

  private static String optdigits(int value, String label) {
    return IntStream.range(0, 64)
            .mapToObj(i -> i == 3 ? "" + value : "0")
            .collect(Collectors.joining(","))
        + ","
        + label
        + "\n";
  }

  private static InMemoryDataFiles optdigitsFiles(String train) {
    return new InMemoryDataFiles()
        .with("optdigits/optdigits.tra", train)
        .with("optdigits/optdigits.tes", optdigits(1, "4"));
  }

  @Test
  void optdigitsAreLinesOfCounts() {
    Dataset dataset =
        new Optdigits().load(STREAMS, optdigitsFiles(optdigits(16, "7") + optdigits(8, "9")));
    assertThat(dataset.train().labels().copy()).containsExactly(7, 9);
    assertThat(dataset.shape()).containsExactly(1, 8, 8);
    float[] first = InMemoryDataFiles.sample(dataset.train(), 0);
    float[] second = InMemoryDataFiles.sample(dataset.train(), 1);
    assertThat(first[3] - first[0]).isCloseTo(2 * (second[3] - second[0]), offset(1e-5f));
  }

  @Test
  void aWrongLineOfOptdigitsIsNamed() {
    assertThatThrownBy(() -> new Optdigits().load(STREAMS, optdigitsFiles("")))
        .hasMessage("optdigits/optdigits.tra is damaged at line 1: the file is empty");
    String first = optdigits(1, "1");
    assertThatThrownBy(
            () -> new Optdigits().load(STREAMS, optdigitsFiles(first + optdigits(17, "1"))))
        .hasMessage(
            "optdigits/optdigits.tra is damaged at line 2: a count from 0 to 16 is expected, not '17'");
    assertThatThrownBy(
            () -> new Optdigits().load(STREAMS, optdigitsFiles(first + optdigits(1, "10"))))
        .hasMessageContaining("line 2: a label from 0 to 9 is expected, not '10'");
    assertThatThrownBy(() -> new Optdigits().load(STREAMS, optdigitsFiles(first + "1,2,3")))
        .hasMessageContaining("line 2: 3 values, but 65 are expected");
  }

  private static String pixels(String first) {
    return "["
        + first
        + IntStream.range(1, 784).mapToObj(i -> ",1.0").collect(Collectors.joining())
        + "]";
  }

  private static String leaf(String users) {
    return "{\"users\": [\"f01_02\"], \"num_samples\": [1], \"user_data\": {" + users + "}}";
  }

  private static String writer(String name, String pictures, String labels) {
    return "\"" + name + "\": {\"x\": [" + pictures + "], \"y\": [" + labels + "]}";
  }

  private static InMemoryDataFiles femnist(String train) {
    return new InMemoryDataFiles()
        .with("femnist/data/train/all_data_0_niid.json", train)
        .with("femnist/data/test/all_data_0_niid.json", leaf(writer("b", pixels("1"), "3")));
  }

  @Test
  void leafFilesAreReadByWriter() {
    String train =
        leaf(
            writer("b", pixels("0.0") + ", " + pixels("5e-1"), "61, 0")
                + ", "
                + writer("a", pixels("0.25"), "9"));
    Dataset dataset = new Femnist(0).load(STREAMS, femnist(train));
    assertThat(dataset.train().labels().copy()).containsExactly(9, 61, 0);
    Users users = dataset.train().users().orElseThrow();
    assertThat(users.names()).containsExactly("a", "b");
    assertThat(users.bySample().copy()).containsExactly(0, 1, 1);
    assertThat(dataset.test().users().orElseThrow().bySample().copy()).containsExactly(1);
    // Ink is light here: 1 - 0.25, 1 - 0 and 1 - 0.5 of 255, paper 0.
    float paper = InMemoryDataFiles.sample(dataset.train(), 0)[1];
    float quarter = InMemoryDataFiles.sample(dataset.train(), 0)[0] - paper;
    float full = InMemoryDataFiles.sample(dataset.train(), 1)[0] - paper;
    assertThat(quarter / full).isCloseTo(191 / 255f, offset(1e-4f));
    assertThat(new Femnist(1).load(STREAMS, femnist(train)).train().count()).isEqualTo(1);
    assertThatThrownBy(() -> new Femnist(3).load(STREAMS, femnist(train)))
        .isInstanceOf(SettingException.class)
        .hasMessage("3 writers are requested, but the files hold 2");
  }

  @Test
  void damagedLeafFilesAreNamedWithTheirByte() {
    String name = "femnist/data/train/all_data_0_niid.json is damaged at byte ";
    String whole = leaf(writer("b", pixels("0.0"), "61"));
    for (String wrong :
        new String[] {
          "",
          whole.substring(0, whole.length() / 2),
          whole.substring(0, whole.length() - 1),
          whole + "x",
          leaf(writer("b", pixels("0.0"), "62")),
          leaf(writer("b", pixels("0.0"), "1.5")),
          leaf(writer("b", pixels("1.5"), "1")),
          leaf(writer("b", "[1,2]", "1")),
          leaf(writer("b", pixels("1"), "1, 2")),
          leaf(writer("b", pixels("1"), "1") + "," + writer("b", pixels("1"), "1")),
          leaf("")
        }) {
      assertThatThrownBy(() -> new Femnist(0).load(STREAMS, femnist(wrong)))
          .as(wrong.length() > 60 ? wrong.substring(0, 60) : wrong)
          .isInstanceOf(DamagedDataException.class)
          .hasMessageStartingWith(name);
    }
    assertThatThrownBy(() -> new Femnist(0).load(STREAMS, new InMemoryDataFiles()))
        .hasMessage("data set femnist lacks the file train/*.json");
  }

  @Test
  void jsonNumbersAreThoseOfJava() {
    for (String number :
        new String[] {"0", "-0.5", "1e-3", "0.1234567890123", "123456789012345678901", "3.0E+2"}) {
      byte[] bytes = (" " + number + " ").getBytes(StandardCharsets.UTF_8);
      assertThat(new JsonReader("made", bytes).number()).isEqualTo(Double.parseDouble(number));
    }
    byte[] text = "\"a\\n\\u00e9\\\"\"".getBytes(StandardCharsets.UTF_8);
    assertThat(new JsonReader("made", text).string()).isEqualTo("a\né\"");
    for (String wrong : new String[] {"-", "x", "", "."}) {
      byte[] bytes = wrong.getBytes(StandardCharsets.UTF_8);
      assertThatThrownBy(() -> new JsonReader("made", bytes).number())
          .isInstanceOf(DamagedDataException.class);
    }
  }

  @Test
  void aPictureIsCutSquareAndAveraged() {
    byte[] rgb = new byte[3 * 4 * 2];
    for (int i = 0; i < 8; i++) {
      rgb[3 * i] = (byte) (10 * i);
      rgb[3 * i + 1] = (byte) 100;
    }
    Picture picture = new Picture(4, 2, rgb);
    byte[] one = new byte[3];
    picture.writeSquare(1, 3, one, 0);
    // The middle two columns of both rows are red by 10, 20, 50 and 60.
    assertThat(one).containsExactly(35, 100, 0);
    byte[] two = new byte[4];
    picture.writeSquare(2, 1, two, 0);
    assertThat(two).containsExactly(62, 65, 74, 77);
  }
}
