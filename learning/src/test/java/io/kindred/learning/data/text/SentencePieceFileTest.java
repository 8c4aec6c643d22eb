package io.kindred.learning.data.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.learning.data.DamagedDataException;
import io.kindred.learning.data.text.Piece.Kind;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SentencePieceFileTest {
  /** Field one of the file: text, score, and the kind unless it is the default. */
  private static byte[] piece(String text, float score, int kind) {
    ByteArrayOutputStream inner = new ByteArrayOutputStream();
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    inner.write(0x0a);
    inner.write(utf8.length);
    inner.writeBytes(utf8);
    inner.write(0x15);
    inner.writeBytes(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putFloat(score).array());
    if (kind != 1) {
      inner.write(0x18);
      inner.write(kind);
    }
    ByteArrayOutputStream outer = new ByteArrayOutputStream();
    outer.write(0x0a);
    outer.write(inner.size());
    outer.writeBytes(inner.toByteArray());
    return outer.toByteArray();
  }

  private static byte[] file() {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.writeBytes(piece("<pad>", 0, 3));
    file.writeBytes(piece("<unk>", 0, 2));
    file.writeBytes(piece("▁the", -3.5f, 1));
    // Trainer settings: a text of three bytes, a number above 127, eight bytes and four.
    file.writeBytes(new byte[] {0x12, 3, 'a', 'b', 'c', 0x20, (byte) 0xac, 2});
    file.writeBytes(new byte[] {0x29, 1, 2, 3, 4, 5, 6, 7, 8, 0x35, 1, 2, 3, 4});
    file.writeBytes(piece("s", -4.25f, 1));
    return file.toByteArray();
  }

  @Test
  void piecesAreReadAndTheRestIsPassedOver() {
    assertThat(SentencePieceFile.read("spiece.model", file()))
        .containsExactly(
            new Piece("<pad>", 0, Kind.CONTROL),
            new Piece("<unk>", 0, Kind.UNKNOWN),
            new Piece("▁the", -3.5, Kind.NORMAL),
            new Piece("s", -4.25, Kind.NORMAL));
  }

  @Test
  void aTruncatedFileIsNamedWithItsPlace() {
    byte[] whole = file();
    int damaged = 0;
    for (int length = 1; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      try {
        SentencePieceFile.read("spiece.model", cut);
      } catch (DamagedDataException expected) {
        assertThat(expected).hasMessageContaining("spiece.model").hasMessageContaining("byte ");
        damaged++;
      }
    }
    // A file may end between two fields, which is possible at eight offsets.
    assertThat(damaged).isEqualTo(whole.length - 1 - 7);
  }

  @Test
  void otherFilesAreRefused() {
    assertThatThrownBy(() -> SentencePieceFile.read("spiece.model", new byte[0]))
        .isInstanceOf(DamagedDataException.class)
        .hasMessageContaining("holds no pieces");
    assertThatThrownBy(
            () ->
                SentencePieceFile.read(
                    "spiece.model", "PK not it".getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(DamagedDataException.class);
    assertThatThrownBy(() -> SentencePieceFile.read("spiece.model", piece("x", 0, 9)))
        .isInstanceOf(DamagedDataException.class)
        .hasMessageContaining("unknown kind 9");
  }
}
