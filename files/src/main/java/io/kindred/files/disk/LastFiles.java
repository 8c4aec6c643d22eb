package io.kindred.files.disk;

import io.kindred.files.OperatorException;
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
 * A folder of sealed files of which the newest counts: the last two are kept, so that a torn or
 * lost one costs at most the time since the one before.
 *
 * @param format what seals a file
 * @param suffix how the names end, with the dot
 * @param wayOut what an operator can do where no file is whole any more
 */
public record LastFiles(Path folder, SealedFile format, String suffix, String wayOut) {
  private static final int KEPT = 2;

  /** Reads one file's payload. */
  @FunctionalInterface
  public interface Reading<T> {
    T read(Path file, InputStream in) throws IOException;
  }

  /** Numbers must rise; a file that has the number already is replaced. */
  public void write(long number, AtomicFile.Content payload) throws IOException {
    Files.createDirectories(folder);
    format.write(folder.resolve("%012d".formatted(number) + suffix), payload);
    List<Path> all = newestFirst();
    for (Path old : all.subList(Math.min(KEPT, all.size()), all.size())) {
      Files.deleteIfExists(old);
    }
  }

  /**
   * The newest file that is whole; a damaged one is told to {@code warn} and the one before is
   * taken. Empty where there are none at all.
   */
  public <T> Optional<T> newest(Reading<T> reading, Consumer<String> warn) throws IOException {
    List<Path> files = newestFirst();
    String damage = "";
    for (Path file : files) {
      try {
        return Optional.of(format.read(file, in -> reading.read(file, in)));
      } catch (DamagedFileException e) {
        damage = String.valueOf(e.getMessage());
        warn.accept(damage);
      }
    }
    if (files.isEmpty()) {
      return Optional.empty();
    }
    throw new OperatorException(OperatorException.WRONG_USE, damage + "; " + wayOut);
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
