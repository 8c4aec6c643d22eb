package io.kindred.storage.disk;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Replaces a file as a whole: the content goes to a temporary file beside it, is forced to the
 * disk, and takes the name in one step. After a crash there is the old content or the new one,
 * never a mixture.
 */
public final class AtomicFile {
  /** Writes the content to a stream that the caller closes. */
  @FunctionalInterface
  public interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /** Like {@link Content}, for a writer that must go back to an earlier position. */
  @FunctionalInterface
  interface ChannelContent {
    void writeTo(FileChannel channel) throws IOException;
  }

  private static final String TEMPORARY_SUFFIX = ".part";
  private static final AtomicLong COUNTER = new AtomicLong();

  private AtomicFile() {}

  public static void write(Path file, byte[] bytes) throws IOException {
    write(file, out -> out.write(bytes));
  }

  public static void writeText(Path file, String text) throws IOException {
    write(file, text.getBytes(StandardCharsets.UTF_8));
  }

  public static void write(Path file, Content content) throws IOException {
    writeChannel(
        file,
        channel -> {
          // Not closed here: the channel must stay open until it is forced.
          OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel));
          content.writeTo(out);
          out.flush();
        });
  }

  static void writeChannel(Path file, ChannelContent content) throws IOException {
    Path target = file.toAbsolutePath();
    Path folder = target.getParent();
    if (folder == null) {
      throw new IOException(file + " is not a file in a folder");
    }
    Path temporary = createTemporary(target);
    try {
      try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
        content.writeTo(channel);
        channel.force(true);
      }
      Files.move(
          temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException | RuntimeException | Error failure) {
      deleteAfter(failure, temporary);
      throw failure;
    }
    force(folder);
  }

  /** A failed cleanup must not hide the failure before it. */
  private static void deleteAfter(Throwable failure, Path temporary) {
    try {
      Files.deleteIfExists(temporary);
    } catch (IOException left) {
      failure.addSuppressed(left);
    }
  }

  /** Not by the JDK, whose temporary files are readable by their owner alone. */
  private static Path createTemporary(Path target) throws IOException {
    while (true) {
      long pid = ProcessHandle.current().pid();
      String suffix = "." + pid + "-" + COUNTER.incrementAndGet() + TEMPORARY_SUFFIX;
      try {
        return Files.createFile(target.resolveSibling("." + target.getFileName() + suffix));
      } catch (FileAlreadyExistsException leftByAnEarlierProcess) {
        // The next number is free.
      }
    }
  }

  /**
   * Removes temporary files that killed processes left in a folder and below; no process may be
   * writing there.
   */
  static void removeLeftovers(Path folder) throws IOException {
    List<Path> left;
    try (Stream<Path> files = Files.walk(folder)) {
      left =
          files
              .filter(file -> file.getFileName().toString().startsWith("."))
              .filter(file -> file.getFileName().toString().endsWith(TEMPORARY_SUFFIX))
              .toList();
    }
    for (Path each : left) {
      Files.deleteIfExists(each);
    }
  }

  private static void force(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (AccessDeniedException notOpenable) {
      // Windows opens no folders, nor can one be opened without the right to read it. The rename
      // has happened; only its durability after a power cut is then up to the system.
    }
  }
}
