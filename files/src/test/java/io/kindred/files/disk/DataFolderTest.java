package io.kindred.files.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.files.OperatorException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
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
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream packed = new GZIPOutputStream(out)) {
      packed.write(CONTENT);
    }
    return out.toByteArray();
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
}
