package io.kindred.spark;

import io.kindred.storage.OperatorException;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.spark.SparkContext;

/** What of this process workers need to run a cell: its jars, but for those of Spark. */
final class ApplicationJars {
  /** Natives of another engine, and a database that only queries need: most of all bytes. */
  private static final Pattern NOT_NEEDED =
      Pattern.compile("(pytorch|openblas|javacpp)-.*-(linux|macosx|windows)-.*|duckdb_jdbc-.*");

  private ApplicationJars() {}

  static List<String> jars() {
    return jars(
        System.getProperty("java.class.path"),
        Optional.ofNullable(System.getenv("KINDRED_PLUGINS")).orElse(""),
        Path.of(SparkContext.class.getProtectionDomain().getCodeSource().getLocation().getPath()));
  }

  /** Workers have Spark and all that stands beside it. */
  static List<String> jars(String classPath, String plugins, Path spark) {
    List<String> jars = new ArrayList<>();
    for (String place : pathEntries(classPath)) {
      Path path = Path.of(place).toAbsolutePath();
      String name = String.valueOf(path.getFileName());
      boolean theirs = path.resolveSibling("").equals(spark.toAbsolutePath().resolveSibling(""));
      if (name.endsWith(".jar") && !theirs && !NOT_NEEDED.matcher(name).matches()) {
        jars.add(path.toString());
      }
    }
    for (String place : pathEntries(plugins)) {
      if (!place.endsWith(".jar")) {
        throw new OperatorException(
            OperatorException.WRONG_USE,
            "KINDRED_PLUGINS names "
                + place
                + ", which cannot be sent to a cluster; pack the classes into a jar");
      }
      jars.add(Path.of(place).toAbsolutePath().toString());
    }
    return jars;
  }

  private static List<String> pathEntries(String list) {
    return Pattern.compile(Pattern.quote(File.pathSeparator))
        .splitAsStream(list)
        .filter(place -> !place.isBlank())
        .toList();
  }
}
