package io.kindred.storage.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.random.RandomStreams;
import io.kindred.learning.data.DamagedDataException;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Picture;
import io.kindred.learning.data.UnusedFile;
import io.kindred.learning.data.format.FolderTree;
import io.kindred.learning.data.format.TaskReader;
import io.kindred.learning.data.vision.ImageFolder;
import io.kindred.learning.data.vision.TinyImageNet;
import io.kindred.storage.OperatorException;
import io.kindred.storage.json.Json;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PictureFilesTest {
  private static final RandomStreams STREAMS = new RandomStreams(1);

  @TempDir private Path root;

  private static byte[] picture(String format, int type, int width, int height, int rgb)
      throws IOException {
    BufferedImage image = new BufferedImage(width, height, type);
    for (int row = 0; row < height; row++) {
      for (int column = 0; column < width; column++) {
        image.setRGB(column, row, rgb);
      }
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageIO.write(image, format, out);
    return out.toByteArray();
  }

  private static byte[] plain(String format, int rgb) throws IOException {
    return picture(format, BufferedImage.TYPE_INT_RGB, 8, 8, rgb);
  }

  private void file(String name, byte[] bytes) throws IOException {
    Path path = root.resolve(name);
    Files.createDirectories(path.getParent());
    Files.write(path, bytes);
  }

  private DataFolder files() {
    return new DataFolder(Optional.of(root));
  }

  @Test
  void coloursComeBackAsTheyWereWritten() throws IOException {
    Picture png = Pictures.decode("a.png", plain("png", 0x0a64ff));
    assertThat(png.value(0, 3, 3)).isEqualTo(0x0a);
    assertThat(png.value(1, 3, 3)).isEqualTo(0x64);
    assertThat(png.value(2, 3, 3)).isEqualTo(0xff);
    Picture jpeg = Pictures.decode("a.jpg", plain("jpg", 0x0a64c8));
    assertThat(jpeg.value(1, 3, 3)).isCloseTo(0x64, within(3));
    assertThat(jpeg.value(2, 3, 3)).isCloseTo(0xc8, within(3));
    Picture again = Pictures.decode("b.png", Pictures.png(png));
    assertThat(again.value(2, 7, 7)).isEqualTo(0xff);
  }

  @Test
  void greyKeepsItsValueAndIsNotBrightened() throws IOException {
    BufferedImage image = new BufferedImage(2, 2, BufferedImage.TYPE_BYTE_GRAY);
    image.getRaster().setSample(1, 0, 0, 100);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageIO.write(image, "png", out);
    Picture picture = Pictures.decode("a.png", out.toByteArray());
    assertThat(picture.value(0, 0, 1)).isEqualTo(100);
    assertThat(picture.value(2, 0, 1)).isEqualTo(100);
    assertThat(picture.value(0, 0, 0)).isZero();
  }

  @Test
  void damagedPicturesAreNamed() throws IOException {
    byte[] whole = picture("png", BufferedImage.TYPE_INT_RGB, 64, 64, 0x123456);
    for (byte[] bytes :
        new byte[][] {{}, {1, 2, 3}, Arrays.copyOf(whole, 20), Arrays.copyOf(whole, 60)}) {
      assertThatThrownBy(() -> Pictures.decode("x/a.png", bytes))
          .as("length %d", bytes.length)
          .isInstanceOf(DamagedDataException.class)
          .hasMessageStartingWith("x/a.png is damaged at ");
    }
  }

  @Test
  void aFolderPerClassIsADataSet() throws IOException {
    for (int i = 0; i < 10; i++) {
      file("birds/owl/" + i + ".png", plain("png", 0x101010));
      file("birds/wren/" + i + ".JPG", plain("jpg", 0xf0f0f0));
    }
    file("birds/owl/notes.txt", new byte[] {1});
    Dataset dataset = new ImageFolder("birds", 4, true, 0.3).load(STREAMS, files());
    assertThat(dataset.shape()).containsExactly(3, 4, 4);
    assertThat(dataset.train().count()).isEqualTo(14);
    assertThat(dataset.test().count()).isEqualTo(6);
    float[] row = new float[48];
    for (int i = 0; i < 14; i++) {
      dataset.train().features().copy(i, row, 0);
      assertThat(row[0] > 0).isEqualTo(dataset.train().labels().get(i) == 1);
    }
    assertThat(new ImageFolder("birds", 4, false, 0.3).load(STREAMS, files()).shape())
        .containsExactly(1, 4, 4);
  }

  @Test
  void trainAndTestFoldersAreTakenAsTheyAre() throws IOException {
    file("birds/train/owl/1.png", plain("png", 0x101010));
    file("birds/train/wren/1.png", plain("png", 0x101010));
    file("birds/test/wren/2.png", plain("png", 0x101010));
    Dataset dataset = new ImageFolder("birds", 4, true, 0.3).load(STREAMS, files());
    assertThat(dataset.train().labels().copy()).containsExactly(0, 1);
    assertThat(dataset.test().labels().copy()).containsExactly(1);
  }

  @Test
  void foldersWithoutPicturesClassesOrPartsAreNamed() throws IOException {
    ImageFolder source = new ImageFolder("birds", 4, true, 0.3);
    assertThatThrownBy(() -> source.load(STREAMS, files()))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("data set birds is missing");
    file("birds/owl/1.png", plain("png", 1));
    assertThatThrownBy(() -> source.load(STREAMS, files()))
        .hasMessage(
            "birds is damaged at its folders: at least two classes are needed, but there is"
                + " only [owl]");
    file("birds/wren/1.png", new byte[0]);
    assertThatThrownBy(() -> new ImageFolder("birds", 4, true, 0.9).load(STREAMS, files()))
        .hasMessageContaining("leaves no test samples");
    file("birds/owl/2.png", plain("png", 1));
    file("birds/wren/2.png", plain("png", 1));
    file("birds/wren/3.png", plain("png", 1));
    assertThatThrownBy(() -> source.load(STREAMS, files()))
        .hasMessage("birds/wren/1.png is damaged at byte 0: the file is empty");
    file("only/test/owl/1.png", plain("png", 1));
    file("only/test/wren/1.png", plain("png", 1));
    assertThatThrownBy(() -> new ImageFolder("only", 4, true, 0.3).load(STREAMS, files()))
        .isInstanceOf(DamagedDataException.class)
        .hasMessageContaining("a folder 'test' but no folder 'train'");
  }

  @Test
  void gifBmpAndWebpAreReadAsTheyWereWritten() throws IOException {
    for (String format : new String[] {"gif", "bmp"}) {
      Picture picture = Pictures.decode("a." + format, plain(format, 0x0a64ff));
      assertThat(picture.value(0, 3, 3)).as(format).isEqualTo(0x0a);
      assertThat(picture.value(2, 3, 3)).as(format).isEqualTo(0xff);
    }
    // 8 x 8 pixels of the colour 10, 100, 255, written by Pillow: lossless, and with quality 90.
    Base64.Decoder base64 = Base64.getDecoder();
    Picture lossless =
        Pictures.decode(
            "a.webp", base64.decode("UklGRh4AAABXRUJQVlA4TBEAAAAvB8ABAAdQsir0v/+BiOh/AAA="));
    assertThat(lossless.width()).isEqualTo(8);
    assertThat(lossless.value(1, 7, 7)).isEqualTo(100);
    Picture lossy =
        Pictures.decode(
            "b.webp",
            base64.decode(
                "UklGRj4AAABXRUJQVlA4IDIAAAAQAgCdASoIAAgAAMASJaACdLoB+AH6AAPIAP72lZf/fVKjRIL/+90/"
                    + "/5f63OC1/y44AA=="));
    assertThat(lossy.value(2, 4, 4)).isCloseTo(255, within(6));
  }

  @Test
  void transparentPixelsAreLaidOverWhite() throws IOException {
    BufferedImage image = new BufferedImage(3, 1, BufferedImage.TYPE_INT_ARGB);
    image.setRGB(1, 0, 0x80000000);
    image.setRGB(2, 0, 0xff0a64ff);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageIO.write(image, "png", out);
    Picture picture = Pictures.decode("a.png", out.toByteArray());
    assertThat(picture.value(0, 0, 0)).isEqualTo(255);
    assertThat(picture.value(0, 0, 1)).isEqualTo(127);
    assertThat(picture.value(1, 0, 2)).isEqualTo(100);
  }

  @Test
  void everyUnusedFileIsNamedWithItsReason() throws IOException {
    for (int i = 0; i < 5; i++) {
      file("birds/owl/" + i + ".png", plain("png", 0x101010));
      file("birds/wren/" + i + ".gif", picture("gif", BufferedImage.TYPE_INT_RGB, 12, 8, 0));
    }
    file("birds/owl/notes.txt", new byte[] {1});
    file("birds/owl/.DS_Store", new byte[] {1});
    file("birds/cover.png", plain("png", 1));
    file("birds/old.zip", new byte[] {1});
    file("birds/wren/9.png", new byte[] {1, 2});
    ImageFolder strict = new ImageFolder("birds", 4, true, 0.3);
    assertThatThrownBy(() -> strict.load(STREAMS, files()))
        .hasMessageStartingWith("birds/wren/9.png is damaged at byte 0");
    Dataset dataset =
        new ImageFolder(
                "birds",
                FolderTree.ClassRule.AUTO,
                FolderTree.UserRule.NONE,
                4,
                Picture.Fit.CROP,
                true,
                true,
                0.3,
                Optional.empty())
            .load(STREAMS, files());
    assertThat(dataset.reading().unused())
        .containsExactlyInAnyOrder(
            new UnusedFile("owl/notes.txt", "not a picture (.txt)"),
            new UnusedFile("owl/.DS_Store", "hidden"),
            new UnusedFile("old.zip", "not a picture (.zip)"),
            new UnusedFile("cover.png", "in no folder of a class"),
            new UnusedFile(
                "wren/9.png", "birds/wren/9.png is damaged at byte 0: not a picture file"));
    assertThat(dataset.reading().used()).isEqualTo(10);
    assertThat(dataset.train().count() + dataset.test().count()).isEqualTo(10);
    float[] row = new float[48];
    for (int i = 0; i < dataset.train().count(); i++) {
      dataset.train().features().copy(i, row, 0);
      assertThat(row[0] > 0).isEqualTo(dataset.train().labels().get(i) == 0);
    }
    assertThat(dataset.reading().task().classes()).containsExactly("owl", "wren");
    assertThat(dataset.reading().remarks())
        .contains(
            "pictures have 8 x 8 to 12 x 8 pixels (width x height), and become 4 x 4 (fit: crop)");
  }

  @Test
  void aGivenTaskFixesClassesAndScaling() throws IOException {
    for (int i = 0; i < 4; i++) {
      file("a/owl/" + i + ".png", plain("png", 0x101010));
      file("a/wren/" + i + ".png", plain("png", 0x404040));
      file("b/wren/" + i + ".png", plain("png", 0x404040));
    }
    Dataset first = new ImageFolder("a", 1, false, 0.3).load(STREAMS, files());
    ImageFolder part = new ImageFolder("b", 1, false, 0.3);
    Dataset second = part.load(STREAMS, files(), Optional.of(first.reading().task()));
    assertThat(second.classes()).isEqualTo(2);
    assertThat(second.train().labels().get(0)).isEqualTo(1);
    float[] value = new float[1];
    second.train().features().copy(0, value, 0);
    // Means of 16 and 64 in equal parts: 40, with deviation 24.
    assertThat(value[0]).isCloseTo(1, within(1e-6f));
    assertThat(second.reading().remarks()).contains("classes of the task without a file: owl");
    file("run/data.json", Json.document(first.reading()).getBytes(StandardCharsets.UTF_8));
    assertThat(TaskReader.ofReading("data.json", Files.readAllBytes(root.resolve("run/data.json"))))
        .isEqualTo(first.reading().task());
    file("b/crow/1.png", plain("png", 1));
    assertThatThrownBy(() -> part.load(STREAMS, files(), Optional.of(first.reading().task())))
        .hasMessage(
            "b is damaged at its folders: the class 'crow' is not one of the task's: owl, wren");
  }

  private void tinyImageNet() throws IOException {
    String home = "tiny-imagenet/tiny-imagenet-200/";
    file(home + "wnids.txt", "n02\nn01\nn03\n".getBytes(StandardCharsets.UTF_8));
    byte[] dark = picture("jpg", BufferedImage.TYPE_INT_RGB, 64, 64, 0x202020);
    byte[] light = picture("jpg", BufferedImage.TYPE_INT_RGB, 64, 64, 0xe0e0e0);
    file(home + "train/n01/images/n01_0.JPEG", light);
    file(
        home + "train/n01/n01_boxes.txt",
        "n01_0.JPEG\t0\t0\t1\t1\n".getBytes(StandardCharsets.UTF_8));
    file(home + "train/n02/images/n02_0.JPEG", dark);
    file(home + "train/n03/images/n03_0.JPEG", dark);
    file(home + "val/images/val_0.JPEG", light);
    file(home + "val/images/val_1.JPEG", dark);
    file(
        home + "val/val_annotations.txt",
        "val_0.JPEG\tn01\t0\t0\t62\t57\nval_1.JPEG\tn03\t0\t0\t1\t1\n"
            .getBytes(StandardCharsets.UTF_8));
    file(home + "test/images/test_0.JPEG", dark);
  }

  @Test
  void tinyImageNetIsReadAsPublished() throws IOException {
    tinyImageNet();
    Dataset dataset = new TinyImageNet(3).load(STREAMS, files());
    assertThat(dataset.shape()).containsExactly(3, 64, 64);
    assertThat(dataset.train().labels().copy()).containsExactly(1, 0, 2);
    assertThat(dataset.test().labels().copy()).containsExactly(1, 2);
    float[] row = new float[3 * 64 * 64];
    dataset.test().features().copy(0, row, 0);
    assertThat(row[100]).isPositive();
    assertThat(new TinyImageNet(2).load(STREAMS, files()).test().count()).isEqualTo(1);
  }

  @Test
  void wrongListsAndPicturesOfTinyImageNetAreNamed() throws IOException {
    tinyImageNet();
    String home = "tiny-imagenet/tiny-imagenet-200/";
    TinyImageNet source = new TinyImageNet(3);
    assertThatThrownBy(() -> new TinyImageNet(4).load(STREAMS, files()))
        .hasMessage("4 classes are requested, but the list has 3");
    file(home + "val/val_annotations.txt", "val_0.JPEG n01\n".getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(() -> source.load(STREAMS, files()))
        .hasMessage(
            "tiny-imagenet/val/val_annotations.txt is damaged at line 1: 1 values, but 6 are"
                + " expected");
    file(
        home + "val/val_annotations.txt",
        "val_0.JPEG\tn01\t0\t0\t62\t57\n".getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(() -> source.load(STREAMS, files()))
        .hasMessageContaining("the file does not name val_1.JPEG");
    tinyImageNet();
    file(home + "train/n03/images/n03_0.JPEG", new byte[] {1, 2});
    assertThatThrownBy(() -> source.load(STREAMS, files()))
        .hasMessageContaining("n03_0.JPEG is damaged at byte 0: not a picture file");
    file(home + "wnids.txt", new byte[0]);
    assertThatThrownBy(() -> source.load(STREAMS, files()))
        .hasMessage("tiny-imagenet/wnids.txt is damaged at line 1: the file is empty");
  }
}
