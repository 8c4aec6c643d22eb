package io.kindred.learning.data.own;

import io.kindred.learning.data.DataFiles;
import java.util.List;
import java.util.function.Predicate;

/**
 * An owner's folder with a folder for each class.
 *
 * @param what the files of the wanted kind, for messages
 * @param wanted whether a file's name is that of such a file
 */
public record ClassFolder(String folder, String what, Predicate<String> wanted) {
  private static final int MOST_NAMED = 5;

  /** The sorted names of the wanted files. */
  public List<String> names(DataFiles files) {
    return files.list(folder, "CLASS/*, " + what, wanted);
  }

  /** Names the files of other kinds. */
  public void reportUnused(DataFiles files, SampleCollector collector) {
    List<String> unused = files.others(folder, wanted);
    if (!unused.isEmpty()) {
      collector.report(
          OwnFinding.Level.WARN,
          unused.size()
              + (unused.size() == 1 ? " file" : " files")
              + " in "
              + folder
              + " are no "
              + what
              + " and not used: "
              + String.join(", ", unused.stream().limit(MOST_NAMED).toList())
              + (unused.size() > MOST_NAMED ? ", ..." : ""),
          "move them away");
    }
  }

  /** The folder of a file; a file outside of any folder has no class. */
  public static String className(String name) {
    int end = name.lastIndexOf('/');
    return end < 0 ? "" : name.substring(name.lastIndexOf('/', end - 1) + 1, end);
  }
}
