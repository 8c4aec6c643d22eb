package io.kindred.storage.disk;

import io.kindred.learning.data.DamagedDataException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Reads a tar file entry by entry: POSIX ustar, with the long names of GNU and of pax. Entries that
 * are not plain files are skipped.
 */
final class TarReader {
  private static final int BLOCK = 512;
  private static final int CHECKSUM_AT = 148;
  private static final int MAX_NAME_BYTES = 1 << 20;

  private final String file;
  private final InputStream in;
  private long position;
  private long left;
  private long padding;
  private String name = "";

  TarReader(String file, InputStream in) {
    this.file = file;
    this.in = in;
  }

  /** Moves to the next plain file; false at the end. */
  boolean next() throws IOException {
    String longName = "";
    while (true) {
      skip(left + padding);
      left = 0;
      padding = 0;
      byte[] header = in.readNBytes(BLOCK);
      if (header.length == 0 || isZero(header)) {
        return false;
      }
      if (header.length < BLOCK) {
        throw damaged("the file ends within a header");
      }
      requireChecksum(header);
      position += BLOCK;
      left = octal(header, 124, 12);
      padding = (BLOCK - left % BLOCK) % BLOCK;
      switch (header[156]) {
        case 'L' -> longName = text(content(), 0, MAX_NAME_BYTES);
        case 'x' -> longName = paxPath(content(), longName);
        case '0', 0 -> {
          name = longName.isEmpty() ? shortName(header) : longName;
          return true;
        }
        default -> longName = "";
      }
    }
  }

  String name() {
    return name;
  }

  /** The whole entry; can be read once. */
  byte[] content() throws IOException {
    if (left > Integer.MAX_VALUE - 8) {
      throw damaged("an entry of " + left + " bytes, which is too large");
    }
    int size = (int) left;
    byte[] bytes = in.readNBytes(size);
    position += bytes.length;
    left = 0;
    if (bytes.length < size) {
      throw damaged("the file ends within an entry of " + size + " bytes");
    }
    return bytes;
  }

  private void skip(long count) throws IOException {
    long passed = 0;
    while (passed < count) {
      long step = in.skip(count - passed);
      if (step == 0 && in.read() < 0) {
        position += passed;
        throw damaged("the file ends within an entry");
      }
      passed += step == 0 ? 1 : step;
    }
    position += count;
  }

  private static boolean isZero(byte[] header) {
    for (byte value : header) {
      if (value != 0) {
        return false;
      }
    }
    return true;
  }

  /** The sum of the header's bytes, with its own eight counted as blanks. */
  private void requireChecksum(byte[] header) {
    long sum = 0;
    for (int i = 0; i < BLOCK; i++) {
      sum += i >= CHECKSUM_AT && i < CHECKSUM_AT + 8 ? ' ' : header[i] & 0xff;
    }
    if (sum != octal(header, CHECKSUM_AT, 8)) {
      throw damaged("the checksum of a header is wrong");
    }
  }

  private long octal(byte[] header, int from, int length) {
    String digits = text(header, from, length).strip();
    try {
      return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
    } catch (NumberFormatException wrong) {
      throw damaged("a header holds '" + digits + "' where a number is due");
    }
  }

  private static String shortName(byte[] header) {
    String prefix = text(header, 257, 5).equals("ustar") ? text(header, 345, 155) : "";
    String own = text(header, 0, 100);
    return prefix.isEmpty() ? own : prefix + "/" + own;
  }

  /** Records are "LENGTH KEY=VALUE" with a line end; only the path matters here. */
  private static String paxPath(byte[] records, String before) {
    String path = before;
    for (String line : new String(records, StandardCharsets.UTF_8).lines().toList()) {
      int key = line.indexOf(" path=");
      if (key > 0) {
        path = line.substring(key + 6);
      }
    }
    return path;
  }

  private static String text(byte[] bytes, int from, int length) {
    int end = from;
    while (end < Math.min(bytes.length, from + length) && bytes[end] != 0) {
      end++;
    }
    return new String(bytes, from, end - from, StandardCharsets.UTF_8);
  }

  private DamagedDataException damaged(String problem) {
    return new DamagedDataException(file, "byte " + position + " (unpacked)", problem);
  }
}
