package io.kindred.learning.data.format;

import java.util.List;

/** The names of files in a tree. */
public final class FileName {
  private FileName() {}

  /**
   * The last parts of a file's path, ending with the file name; empty if the path has fewer parts.
   */
  public static List<String> lastParts(String file, int parts) {
    List<String> words = List.of(file.split("/", -1));
    return words.size() < parts ? List.of() : words.subList(words.size() - parts, words.size());
  }
}
