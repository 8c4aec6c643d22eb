package io.kindred.learning.data.text;

import io.kindred.learning.data.DamagedDataException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * The text of a file.
 *
 * @param unicode whether the bytes are UTF-8 or UTF-16; otherwise they are read as Windows-1252
 */
record TextFile(String text, boolean unicode) {
  private static final Charset WINDOWS = Charset.forName("windows-1252");

  /** Decodes a file, which messages call by its place. */
  static TextFile decode(String place, byte[] bytes) {
    boolean utf16 = bytes.length >= 2 && (bytes[0] & 0xff) + (bytes[1] & 0xff) == 0xff + 0xfe;
    Charset charset = utf16 ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8;
    TextFile file;
    try {
      file = new TextFile(charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString(), true);
    } catch (CharacterCodingException notUnicode) {
      file = new TextFile(new String(bytes, WINDOWS), false);
    }
    int zero = file.text.indexOf('\0');
    if (zero >= 0) {
      throw new DamagedDataException(
          place, "byte " + zero, "a text has no zero bytes; remove the file");
    }
    return file;
  }
}
