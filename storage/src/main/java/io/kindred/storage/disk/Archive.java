package io.kindred.storage.disk;

import io.kindred.learning.data.DamagedDataException;
import io.kindred.storage.OperatorException;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveInputStream;

/**
 * A data set as it was published in one file: tar, gzipped tar, or zip, which may hold another zip.
 * It is read from front to back and never unpacked to the disk.
 */
final class Archive {
  private static final int BUFFER = 1 << 16;
  private static final int RECORD = TarConstants.DEFAULT_RCDSIZE;
  private static final int MAX_NAME_LENGTH = 1 << 20;
  private static final int MAX_ENTRY_BYTES = Integer.MAX_VALUE - 8;

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
    } catch (FileSystemException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    } catch (IOException damaged) {
      // The readers of archives have no exception of their own for damage.
      throw new OperatorException(
          OperatorException.DATA_MISSING,
          file + " is damaged (" + damaged.getMessage() + "); fetch it again");
    }
  }

  private static void tar(Path file, InputStream in, Visitor visitor) throws IOException {
    // With blocks of one record, the reader never reads past the end of the archive.
    TarArchiveInputStream tar =
        new TarArchiveInputStream(in, RECORD, RECORD, StandardCharsets.UTF_8.name());
    try {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        if (!entry.isCheckSumOK()) {
          throw damaged(file, tar.getBytesRead() - RECORD, "the checksum of a header is wrong");
        }
        if (entry.getName().length() > MAX_NAME_LENGTH) {
          throw damaged(file, tar.getBytesRead(), "the name of an entry is too long");
        }
        if (isPlainFile(entry)) {
          long size = entry.getSize();
          visit(entry.getName(), () -> content(file, tar, size), visitor);
        }
      }
      // The reader takes a torn header for the end of the archive.
      if (tar.getBytesRead() % RECORD != 0) {
        throw damaged(file, tar.getBytesRead(), "the file ends within a header");
      }
    } catch (IOException damaged) {
      throw damaged(file, tar.getBytesRead(), String.valueOf(damaged.getMessage()));
    }
  }

  /** Neither a folder nor a link nor a device. */
  private static boolean isPlainFile(TarArchiveEntry entry) {
    return !entry.isDirectory()
        && (entry.getLinkFlag() == TarConstants.LF_NORMAL
            || entry.getLinkFlag() == TarConstants.LF_OLDNORM);
  }

  private static byte[] content(Path file, TarArchiveInputStream tar, long size)
      throws IOException {
    if (size > MAX_ENTRY_BYTES) {
      throw damaged(file, tar.getBytesRead(), "an entry of " + size + " bytes, which is too large");
    }
    return tar.readNBytes((int) size);
  }

  private static DamagedDataException damaged(Path file, long position, String problem) {
    return new DamagedDataException(
        file.toString(), "byte " + position + " (unpacked)", problem + "; fetch it again");
  }

  private static void zip(Path file, InputStream in, Visitor visitor) throws IOException {
    ZipArchiveInputStream zip = new ZipArchiveInputStream(in);
    ZipArchiveEntry entry = zip.getNextEntry();
    if (entry == null) {
      throw new ZipException("it has no entries");
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
