package io.kindred.learning.data;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How a data set was read from its files.
 *
 * @param used files or rows that gave samples
 * @param unused every file that gave no sample
 * @param remarks facts about the data that may surprise, one sentence each
 */
public record DataReading(
    TaskDescription task, int used, List<UnusedFile> unused, List<String> remarks) {
  /** Of data whose files hold exactly the samples, or of generated data. */
  public static final DataReading NONE =
      new DataReading(TaskDescription.NONE, 0, List.of(), List.of());

  public DataReading {
    unused = List.copyOf(unused);
    remarks = List.copyOf(remarks);
  }

  /** Of data of which only the names of the classes are of interest. */
  public static DataReading ofClasses(List<String> names) {
    return new DataReading(TaskDescription.ofClasses(names), 0, List.of(), List.of());
  }

  /** How many files gave no sample, by reason; empty if all files were used. */
  public Optional<String> unusedLine() {
    if (unused.isEmpty()) {
      return Optional.empty();
    }
    Map<String, Long> counts =
        unused.stream()
            .collect(
                Collectors.groupingBy(DataReading::reasonOf, TreeMap::new, Collectors.counting()));
    return Optional.of(
        unused.size()
            + " of "
            + (used + unused.size())
            + " files are not used: "
            + counts.entrySet().stream()
                .map(each -> each.getValue() + " " + each.getKey())
                .collect(Collectors.joining(", ")));
  }

  /** Messages about damage name their file, which a count must not. */
  private static String reasonOf(UnusedFile file) {
    return file.reason().contains(" is damaged at ") ? "damaged" : file.reason();
  }
}
