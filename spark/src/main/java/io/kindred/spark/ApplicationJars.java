package io.kindred.spark;

import io.kindred.storage.OperatorException;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.spark.SparkContext;

/** The jars of this process that workers need to run a cell: all but those of Spark. */
final class ApplicationJars {
  /**
   * Native libraries of another engine, and a database that only queries need: together most of the
   * bytes.
   */
  private static final Pattern NOT_NEEDED =
      Pattern.compile("(pytorch|openblas|javacpp)-.*-(linux|macosx|windows)-.*|duckdb_jdbc-.*");

  private ApplicationJars() {}

  static List<String> jars() {
    return jars(
        System.getProperty("java.class.path"),
        Optional.ofNullable(System.getenv("KINDRED_PLUGINS")).orElse(""),
        Path.of(SparkContext.class.getProtectionDomain().getCodeSource().getLocation().getPath()));
  }

  /** Workers already have Spark and every jar in its folder. */
  static List<String> jars(String classPath, String plugins, Path spark) {
    List<String> jars = new ArrayList<>();
    for (String entry : pathEntries(classPath)) {
      Path path = Path.of(entry).toAbsolutePath();
      String name = String.valueOf(path.getFileName());
      boolean partOfSpark =
          path.resolveSibling("").equals(spark.toAbsolutePath().resolveSibling(""));
      if (name.endsWith(".jar") && !partOfSpark && !NOT_NEEDED.matcher(name).matches()) {
        jars.add(path.toString());
      }
    }
    for (String entry : pathEntries(plugins)) {
      if (!entry.endsWith(".jar")) {
        throw new OperatorException(
            OperatorException.WRONG_USE,
            "KINDRED_PLUGINS names "
                + entry
                + ", which cannot be sent to a cluster; pack the classes into a jar");
      }
      jars.add(Path.of(entry).toAbsolutePath().toString());
    }
    return jars;
  }

  private static List<String> pathEntries(String list) {
    return Pattern.compile(Pattern.quote(File.pathSeparator))
        .splitAsStream(list)
        .filter(entry -> !entry.isBlank())
        .toList();
  }
}
