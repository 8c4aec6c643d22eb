package io.kindred.learning.data;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How a data set was read from its files.
 *
 * @param items what gives a sample each, in the plural: files, or the rows of a table
 * @param used files or rows that gave samples
 * @param unused every file or row that gave no sample
 * @param columns the columns of a table in the order of the file; empty for other data
 * @param remarks facts about the data that may surprise, one sentence each
 */
public record DataReading(
    TaskDescription task,
    String items,
    int used,
    List<UnusedFile> unused,
    List<TableColumn> columns,
    List<String> remarks) {
  private static final int MOST_NAMED = 3;

  /** Of data whose files hold exactly the samples, or of generated data. */
  public static final DataReading NONE =
      new DataReading(TaskDescription.NONE, 0, List.of(), List.of());

  public DataReading {
    unused = List.copyOf(unused);
    columns = List.copyOf(columns);
    remarks = List.copyOf(remarks);
  }

  /** Of a data set whose samples are files. */
  public DataReading(
      TaskDescription task, int used, List<UnusedFile> unused, List<String> remarks) {
    this(task, "files", used, unused, List.of(), remarks);
  }

  /** Of data of which only the names of the classes are of interest. */
  public static DataReading ofClasses(List<String> names) {
    return new DataReading(TaskDescription.ofClasses(names), 0, List.of(), List.of());
  }

  /**
   * How many files or rows gave no sample, by reason and with the first of each; empty if all were
   * used.
   */
  public Optional<String> unusedLine() {
    if (unused.isEmpty()) {
      return Optional.empty();
    }
    Map<String, List<String>> named =
        unused.stream()
            .collect(
                Collectors.groupingBy(
                    DataReading::reasonOf,
                    TreeMap::new,
                    Collectors.mapping(UnusedFile::file, Collectors.toList())));
    return Optional.of(
        unused.size()
            + " of "
            + (used + unused.size())
            + " "
            + items
            + " are not used: "
            + named.entrySet().stream()
                .map(
                    each ->
                        each.getValue().size()
                            + " "
                            + each.getKey()
                            + " ("
                            + String.join(", ", each.getValue().stream().limit(MOST_NAMED).toList())
                            + (each.getValue().size() > MOST_NAMED ? ", ...)" : ")"))
                .collect(Collectors.joining("; ")));
  }

  /** Which columns a table has that are not used, and why; empty if all are. */
  public Optional<String> unusedColumnsLine() {
    List<String> named =
        columns.stream()
            .filter(each -> each.use() == TableColumn.Use.UNUSED)
            .filter(each -> !each.reason().startsWith("in dataset."))
            .map(each -> each.name() + " (" + each.reason() + ")")
            .toList();
    return named.isEmpty()
        ? Optional.empty()
        : Optional.of(
            named.size()
                + " of "
                + columns.size()
                + " columns are not used: "
                + String.join("; ", named));
  }

  /** Messages about damage name their file, which a count must not. */
  private static String reasonOf(UnusedFile file) {
    return file.reason().contains(" is damaged at ") ? "damaged" : file.reason();
  }
}
