package io.kindred.storage.disk;

import io.kindred.storage.OperatorException;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;

/**
 * A data set as it was published in one file: tar, gzipped tar, or zip, which may hold another zip.
 * It is read from front to back and never unpacked to the disk.
 */
final class Archive {
  private static final int BUFFER = 1 << 16;

  private Archive() {}

  /** Receives an entry; content that the visitor does not read is skipped. */
  @FunctionalInterface
  interface Visitor {
    void entry(String name, Content content) throws IOException;
  }

  /** The bytes of an entry, gunzipped where its name ends in {@code .gz}. */
  @FunctionalInterface
  interface Content {
    byte[] read() throws IOException;
  }

  static boolean isArchive(Path file) {
    String name = String.valueOf(file.getFileName());
    return isTar(name) || name.endsWith(".zip");
  }

  private static boolean isTar(String name) {
    return name.endsWith(".tar") || name.endsWith(".tar.gz") || name.endsWith(".tgz");
  }

  /** Visits every file of the archive, by its name without the suffix of a compressor. */
  static void forEachEntry(Path file, Visitor visitor) {
    String name = String.valueOf(file.getFileName());
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER)) {
      if (name.endsWith(".zip")) {
        zip(file, in, visitor);
      } else {
        tar(file, name.endsWith(".tar") ? in : new GZIPInputStream(in, BUFFER), visitor);
      }
    } catch (EOFException | ZipException damaged) {
      throw new OperatorException(
          OperatorException.DATA_MISSING,
          file + " is damaged (" + damaged.getMessage() + "); fetch it again");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  private static void tar(Path file, InputStream in, Visitor visitor) throws IOException {
    TarReader tar = new TarReader(file.toString(), new BufferedInputStream(in, BUFFER));
    while (tar.next()) {
      visit(tar.name(), tar::content, visitor);
    }
  }

  private static void zip(Path file, InputStream in, Visitor visitor) throws IOException {
    ZipInputStream zip = new ZipInputStream(in);
    ZipEntry entry = zip.getNextEntry();
    if (entry == null) {
      throw new ZipException("it holds nothing");
    }
    for (; entry != null; entry = zip.getNextEntry()) {
      if (entry.isDirectory()) {
        continue;
      }
      if (entry.getName().endsWith(".zip")) {
        zip(file, zip, visitor);
      } else {
        visit(entry.getName(), zip::readAllBytes, visitor);
      }
    }
  }

  private static void visit(String name, Content content, Visitor visitor) throws IOException {
    if (name.endsWith(".gz")) {
      visitor.entry(plainName(name), () -> gunzip(content.read()));
    } else {
      visitor.entry(plainName(name), content);
    }
  }

  /** The name without a leading {@code ./} and without the suffix of a compressor. */
  static String plainName(String name) {
    String inside = name.startsWith("./") ? name.substring(2) : name;
    return inside.endsWith(".gz") ? inside.substring(0, inside.length() - 3) : inside;
  }

  private static byte[] gunzip(byte[] packed) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      return in.readAllBytes();
    }
  }
}
