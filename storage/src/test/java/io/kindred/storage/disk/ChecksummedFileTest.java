package io.kindred.storage.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ChecksummedFileTest {
  private static final int AROUND_PAYLOAD = 4 + 4 + 8 + 32;

  private final ChecksummedFile format = new ChecksummedFile("checkpoint", "KNDC", 3);
  private final SplittableRandom random = new SplittableRandom(7);

  @TempDir Path folder;
  private Path file = Path.of("unset");

  @BeforeEach
  void nameFile() {
    file = folder.resolve("peer-1");
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  @Test
  void readsBackPayloadsOfAwkwardLengths() throws IOException {
    for (int length : new int[] {0, 1, 31, 65535, 65536, 65537, 200_001}) {
      byte[] payload = bytes(length);
      format.write(file, payload);
      assertThat(format.read(file)).isEqualTo(payload);
      assertThat(Files.size(file)).isEqualTo(length + AROUND_PAYLOAD);
      format.write(
          file,
          out -> {
            for (byte each : payload) {
              out.write(each);
            }
          });
      byte[] start = format.read(file, in -> in.readNBytes(10));
      assertThat(start).isEqualTo(Arrays.copyOf(payload, Math.min(10, length)));
    }
  }

  @Test
  void noticesEveryTruncation() throws IOException {
    format.write(file, bytes(300));
    byte[] whole = Files.readAllBytes(file);
    for (int length = 0; length < whole.length; length++) {
      Files.write(file, Arrays.copyOf(whole, length));
      String wanted = length < AROUND_PAYLOAD ? "at least 48" : "348";
      assertThatThrownBy(() -> format.read(file))
          .isInstanceOf(DamagedFileException.class)
          .hasMessage("checkpoint %s is truncated: %d of %s bytes".formatted(file, length, wanted));
    }
  }

  @Test
  void noticesEveryFlippedBit() throws IOException {
    format.write(file, bytes(100));
    byte[] whole = Files.readAllBytes(file);
    for (int bit = 0; bit < whole.length * 8; bit++) {
      byte[] flipped = whole.clone();
      flipped[bit / 8] ^= (byte) (1 << (bit % 8));
      Files.write(file, flipped);
      assertThatThrownBy(() -> format.read(file))
          .as("bit %d", bit)
          .isInstanceOf(DamagedFileException.class);
    }
  }

  @Test
  void saysWhatWasExpectedAndFound() throws IOException {
    format.write(file, bytes(10));
    assertThatThrownBy(() -> new ChecksummedFile("model", "KNDM", 3).read(file))
        .hasMessage(
            "model %s has another file format: expected a start of 4b4e444d, found 4b4e4443"
                .formatted(file));
    assertThatThrownBy(() -> new ChecksummedFile("checkpoint", "KNDC", 4).read(file))
        .isInstanceOfSatisfying(
            DamagedFileException.class,
            damage -> {
              assertThat(damage.file()).isEqualTo(file);
              assertThat(damage.expected()).isEqualTo("version 4");
              assertThat(damage.found()).isEqualTo("version 3");
            });
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length + 2));
    assertThatThrownBy(() -> format.read(file))
        .hasMessage("checkpoint %s is too long: expected 58 bytes, found 60 bytes".formatted(file));
  }

  @Test
  void doesNotTrustTheLengthThatIsWritten() throws IOException {
    format.write(file, bytes(10));
    byte[] whole = Files.readAllBytes(file);
    for (long length : new long[] {-1, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 40, 9}) {
      ByteBuffer.wrap(whole).putLong(8, length);
      Files.write(file, whole);
      assertThatThrownBy(() -> format.read(file))
          .as("length %d", length)
          .isInstanceOf(DamagedFileException.class);
    }
  }
}
