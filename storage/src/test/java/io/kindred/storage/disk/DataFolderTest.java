package io.kindred.storage.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.learning.data.DamagedDataException;
import io.kindred.storage.OperatorException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {
  private static final byte[] CONTENT = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

  @TempDir private Path root;

  @BeforeEach
  void makeSets() throws IOException {
    Files.createDirectories(root.resolve("digits"));
    Files.write(root.resolve("digits/plain"), CONTENT);
    Files.write(root.resolve("digits/packed.gz"), gzip());
    byte[] torn = gzip();
    Files.write(root.resolve("digits/torn.gz"), Arrays.copyOf(torn, torn.length - 9));
    Files.write(root.resolve("digits/wrong.gz"), CONTENT);
  }

  private static byte[] gzip() throws IOException {
    return TestArchives.gzip(CONTENT);
  }

  private DataFolder folder() {
    return new DataFolder(Optional.of(root));
  }

  @Test
  void filesAreFoundPlainOrPacked() {
    assertThat(folder().read("digits", "plain")).containsExactly(CONTENT);
    assertThat(folder().read("digits", "packed")).containsExactly(CONTENT);
    assertThat(folder().has("digits", "packed")).isTrue();
    assertThat(folder().has("digits", "absent")).isFalse();
  }

  @Test
  void aMissingSetIsExplainedWithTheExitCodeForMissingData() {
    assertThatThrownBy(() -> folder().read("letters", "train"))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining(root.resolve("letters/train") + "[.gz]")
        .hasMessageContaining("--data-dir or KINDRED_DATA")
        .extracting(failure -> ((OperatorException) failure).exitCode())
        .isEqualTo(OperatorException.DATA_MISSING);
    assertThatThrownBy(() -> new DataFolder(Optional.empty()).read("letters", "train"))
        .hasMessageContaining("no data folder is named");
  }

  @Test
  void aTornOrWrongPackageIsNamed() {
    for (String file : new String[] {"torn", "wrong"}) {
      assertThatThrownBy(() -> folder().read("digits", file))
          .isInstanceOf(OperatorException.class)
          .hasMessageStartingWith(root.resolve("digits/" + file + ".gz") + " is damaged");
    }
  }

  private List<String> names(String set) {
    return folder().list(set, "anything", name -> true);
  }

  private byte[] one(String set, String name) {
    return folder().read(set, name);
  }

  @Test
  void publishedArchivesAreReadWhereTheyLie() throws IOException {
    byte[] other = {9, 9};
    byte[] tar =
        TestArchives.tar(
            "set-1.0/", new byte[0], "set-1.0/b/two", other, "./set-1.0/a/one", CONTENT);
    Files.createDirectories(root.resolve("tarred"));
    Files.write(root.resolve("tarred/set.tar.gz"), TestArchives.gzip(tar));
    Files.createDirectories(root.resolve("zipped"));
    byte[] inner = TestArchives.zip("deep/b/two.gz", TestArchives.gzip(other));
    Files.write(
        root.resolve("zipped/all.zip"), TestArchives.zip("x/a/one", CONTENT, "in.zip", inner));
    assertThat(names("tarred")).contains("set-1.0/a/one", "set-1.0/b/two").isSorted();
    assertThat(names("zipped")).containsExactly("deep/b/two", "x/a/one");
    for (String set : List.of("tarred", "zipped")) {
      assertThat(one(set, "a/one")).isEqualTo(CONTENT);
      assertThat(one(set, "two")).isEqualTo(other);
      assertThat(folder().has(set, "b/two")).isTrue();
      assertThat(folder().has(set, "wo")).isFalse();
      assertThatThrownBy(() -> one(set, "three")).isInstanceOf(OperatorException.class);
    }
    List<String> chosen = folder().list("zipped", "two files", name -> !name.isEmpty());
    List<String> seen = new ArrayList<>();
    folder()
        .readAll("zipped", chosen, (index, bytes) -> seen.add(chosen.get(index) + bytes.length));
    assertThat(seen).containsExactlyInAnyOrder("deep/b/two2", "x/a/one10");
  }

  @Test
  void whatIsUnpackedComesBeforeTheArchive() throws IOException {
    Files.createDirectories(root.resolve("both/inner/.hidden"));
    Files.write(
        root.resolve("both/set.tar"), TestArchives.tar("inner/a", CONTENT, "inner/b", CONTENT));
    Files.write(root.resolve("both/inner/a"), new byte[] {1});
    Files.write(root.resolve("both/inner/.hidden/c"), new byte[] {1});
    assertThat(folder().list("both", "a", name -> name.endsWith("a"))).containsExactly("inner/a");
    assertThat(one("both", "a")).containsExactly(1);
    assertThat(one("both", "b")).isEqualTo(CONTENT);
    assertThat(names("both")).containsExactly("inner/a");
  }

  @Test
  void longNamesInArchivesAreWhole() throws IOException {
    String name = "folder/" + "long".repeat(40) + "/file";
    Files.createDirectories(root.resolve("long"));
    for (boolean pax : new boolean[] {false, true}) {
      Files.write(root.resolve("long/set.tar"), TestArchives.tarWithLongName(name, CONTENT, pax));
      assertThat(names("long")).containsExactly(name);
      assertThat(one("long", "file")).isEqualTo(CONTENT);
    }
  }

  @Test
  void tornArchivesAreNamed() throws IOException {
    Files.createDirectories(root.resolve("torn"));
    byte[] tar = TestArchives.tar("a/one", new byte[5000]);
    for (int length : new int[] {100, 700, 5000}) {
      Files.write(root.resolve("torn/set.tar"), Arrays.copyOf(tar, length));
      assertThatThrownBy(() -> names("torn"))
          .as("length %d", length)
          .isInstanceOf(DamagedDataException.class)
          .hasMessageContaining("set.tar is damaged at byte");
    }
    byte[] wrong = tar.clone();
    wrong[3] ^= 1;
    Files.write(root.resolve("torn/set.tar"), wrong);
    assertThatThrownBy(() -> names("torn"))
        .hasMessageContaining("byte 0 (unpacked): the checksum of a header is wrong");
    Files.delete(root.resolve("torn/set.tar"));
    byte[] packed = TestArchives.gzip(tar);
    Files.write(root.resolve("torn/set.tgz"), Arrays.copyOf(packed, packed.length - 20));
    assertThatThrownBy(() -> names("torn")).hasMessageContaining("set.tgz is damaged");
    Files.delete(root.resolve("torn/set.tgz"));
    Files.write(root.resolve("torn/set.zip"), new byte[] {1, 2, 3});
    assertThatThrownBy(() -> names("torn")).hasMessageContaining("set.zip is damaged");
  }

  @Test
  void anyChangedByteOfATarHeaderIsNamed() throws IOException {
    Files.createDirectories(root.resolve("changed"));
    byte[] tar = TestArchives.tar("a/one", CONTENT, "a/two", CONTENT);
    for (int i = 0; i < 512; i++) {
      byte[] wrong = tar.clone();
      wrong[i] = (byte) (wrong[i] + 1);
      Files.write(root.resolve("changed/set.tar"), wrong);
      assertThatThrownBy(() -> names("changed"))
          .as("byte %d", i)
          .isInstanceOf(DamagedDataException.class)
          .hasMessageContaining("set.tar is damaged at byte");
    }
  }

  @Test
  void aZipTornWithinAnEntryIsNamed() throws IOException {
    Files.createDirectories(root.resolve("half"));
    byte[] zip = TestArchives.zip("a/one", CONTENT);
    int directory = new String(zip, StandardCharsets.ISO_8859_1).indexOf("PK\1\2");
    for (int length = 0; length < directory; length++) {
      Files.write(root.resolve("half/set.zip"), Arrays.copyOf(zip, length));
      assertThatThrownBy(() -> names("half"))
          .as("length %d", length)
          .isInstanceOf(OperatorException.class)
          .hasMessageContaining("set.zip is damaged");
    }
  }

  @Test
  void onlyPlainFilesOfATarAreListed() throws IOException {
    Files.createDirectories(root.resolve("kinds"));
    Files.write(root.resolve("kinds/set.tar"), TestArchives.tarOfKinds("0125"));
    assertThat(names("kinds")).containsExactly("kind-0");
  }

  @Test
  void ownDataAreFoundByTheirPathWithoutADataFolder() throws IOException {
    DataFolder none = new DataFolder(Optional.empty());
    String path = root.resolve("digits").toString();
    assertThat(none.read(path, "plain")).isEqualTo(CONTENT);
    assertThat(folder().read(path, "plain")).isEqualTo(CONTENT);
  }
}
