package io.kindred.node.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The files of an audit log: the one that grows, and earlier ones that are full. */
record AuditFiles(Path folder) {
  private static final String NAME = "audit";
  private static final String SUFFIX = ".jsonl";

  /** The file that lines are appended to. */
  Path current() {
    return folder.resolve(NAME + SUFFIX);
  }

  /** The name of a full file, by the number of its last line. */
  Path archived(long lastNumber) {
    return folder.resolve("%s-%012d%s".formatted(NAME, lastNumber, SUFFIX));
  }

  /** All files that exist, the earliest first. */
  List<Path> all() throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    List<Path> found = new ArrayList<>();
    try (Stream<Path> entries = Files.list(folder)) {
      entries
          .filter(each -> String.valueOf(each.getFileName()).matches(NAME + "-\\d{12}\\" + SUFFIX))
          .sorted()
          .forEach(found::add);
    }
    if (Files.exists(current())) {
      found.add(current());
    }
    return found;
  }
}
