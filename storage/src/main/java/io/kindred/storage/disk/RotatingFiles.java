package io.kindred.storage.disk;

import io.kindred.storage.OperatorException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A folder of checksummed files of which the newest counts: the last two are retained, so that a
 * torn or lost one costs at most the time since the one before.
 *
 * @param format the format of each file
 * @param suffix how the names end, with the dot
 * @param remedy what an operator can do where no file is intact
 */
public record RotatingFiles(Path folder, ChecksummedFile format, String suffix, String remedy) {
  private static final int RETAINED = 2;

  /** Reads one file's payload. */
  @FunctionalInterface
  public interface PayloadReader<T> {
    T read(Path file, InputStream in) throws IOException;
  }

  /** Numbers must rise; a file that has the number already is replaced. */
  public void write(long number, AtomicFile.Content payload) throws IOException {
    Files.createDirectories(folder);
    format.write(folder.resolve("%012d".formatted(number) + suffix), payload);
    List<Path> all = newestFirst();
    for (Path old : all.subList(Math.min(RETAINED, all.size()), all.size())) {
      Files.deleteIfExists(old);
    }
  }

  /**
   * The newest intact file; a damaged one is reported to {@code warn} and the one before is read.
   * Empty where there are none at all.
   */
  public <T> Optional<T> newest(PayloadReader<T> payloadReader, Consumer<String> warn)
      throws IOException {
    List<Path> files = newestFirst();
    String damage = "";
    for (Path file : files) {
      try {
        return Optional.of(format.read(file, in -> payloadReader.read(file, in)));
      } catch (DamagedFileException e) {
        damage = String.valueOf(e.getMessage());
        warn.accept(damage);
      }
    }
    if (files.isEmpty()) {
      return Optional.empty();
    }
    throw new OperatorException(OperatorException.WRONG_USE, damage + "; " + remedy);
  }

  private List<Path> newestFirst() throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(suffix))
          .sorted(Comparator.reverseOrder())
          .toList();
    }
  }
}
