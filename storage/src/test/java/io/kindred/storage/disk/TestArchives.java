package io.kindred.storage.disk;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Creates archives like those of publishers. */
final class TestArchives {
  private TestArchives() {}

  /** Names and contents alternate. */
  static byte[] tar(Object... namesAndContents) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < namesAndContents.length; i += 2) {
      tarEntry(out, (String) namesAndContents[i], (byte[]) namesAndContents[i + 1], '0');
    }
    out.writeBytes(new byte[1024]);
    return out.toByteArray();
  }

  /** A name longer than a header holds, the way that GNU tar or the pax format writes it. */
  static byte[] tarWithLongName(String name, byte[] content, boolean pax) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    if (pax) {
      String record = " path=" + name + "\n";
      int length = record.length() + 3;
      tarEntry(out, "pax", (length + record).getBytes(StandardCharsets.UTF_8), 'x');
    } else {
      tarEntry(out, "././@LongLink", (name + "\0").getBytes(StandardCharsets.UTF_8), 'L');
    }
    tarEntry(out, name.substring(0, 50), content, '0');
    out.writeBytes(new byte[1024]);
    return out.toByteArray();
  }

  /** Empty entries of the given types: 0 file, 1 hard link, 2 symbolic link, 5 folder. */
  static byte[] tarOfKinds(String types) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < types.length(); i++) {
      tarEntry(out, "kind-" + types.charAt(i), new byte[0], types.charAt(i));
    }
    out.writeBytes(new byte[1024]);
    return out.toByteArray();
  }

  private static void tarEntry(ByteArrayOutputStream out, String name, byte[] content, char type) {
    byte[] header = new byte[512];
    put(header, 0, name);
    put(header, 100, "0000644");
    put(header, 124, String.format(Locale.ROOT, "%011o", content.length));
    put(header, 148, "        ");
    header[156] = (byte) type;
    put(header, 257, "ustar");
    int sum = 0;
    for (byte value : header) {
      sum += value & 0xff;
    }
    put(header, 148, String.format(Locale.ROOT, "%06o", sum));
    header[154] = 0;
    out.writeBytes(header);
    out.writeBytes(content);
    out.writeBytes(new byte[(512 - content.length % 512) % 512]);
  }

  private static void put(byte[] header, int at, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(bytes, 0, header, at, bytes.length);
  }

  static byte[] gzip(byte[] content) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream packed = new GZIPOutputStream(out)) {
      packed.write(content);
    }
    return out.toByteArray();
  }

  /** Names and contents alternate. */
  static byte[] zip(Object... namesAndContents) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(out)) {
      for (int i = 0; i < namesAndContents.length; i += 2) {
        zip.putNextEntry(new ZipEntry((String) namesAndContents[i]));
        zip.write((byte[]) namesAndContents[i + 1]);
        zip.closeEntry();
      }
    }
    return out.toByteArray();
  }
}
