package io.kindred.storage.disk;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Checks folders before a run spends hours on results that it could not write. */
public final class Folders {
  private Folders() {}

  /**
   * Creates the folder where it is missing and returns it, or explains in one line why it cannot.
   */
  public static Path requireWritable(Path folder) {
    for (Path part = folder; part != null; part = part.getParent()) {
      if (Files.exists(part) && !Files.isDirectory(part)) {
        throw new FolderException(
            "%s cannot be a folder: %s is a file; remove the file or name another folder"
                .formatted(folder, part.equals(folder) ? "it" : part));
      }
    }
    try {
      Files.createDirectories(folder);
    } catch (IOException refused) {
      throw new FolderException(
          "folder %s cannot be created: %s; check its permissions or name another folder"
              .formatted(folder, reason(refused)));
    }
    if (!Files.isWritable(folder) || !Files.isExecutable(folder)) {
      throw new FolderException(
          "folder %s cannot be written to; change its permissions or name another folder"
              .formatted(folder));
    }
    return folder;
  }

  /** Removes a folder with everything in it. */
  public static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  private static String reason(IOException refused) {
    return refused instanceof AccessDeniedException
        ? "permission denied"
        : String.valueOf(refused.getMessage());
  }
}
