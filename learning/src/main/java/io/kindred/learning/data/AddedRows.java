package io.kindred.learning.data;

import io.kindred.core.weights.Ints;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Rows that repeat rows of a table with other labels. Those with a stamp come first.
 *
 * @param stamped repeated rows with a stamp
 * @param plain repeated rows without a stamp
 */
public record AddedRows(List<Row> stamped, List<Row> plain, StampedFeatures.Stamp stamp) {
  /**
   * A row that repeats another one.
   *
   * @param repeated the row of the table
   * @param label its label instead of that of the repeated row
   */
  public record Row(int repeated, int label) {}

  public AddedRows {
    stamped = List.copyOf(stamped);
    plain = List.copyOf(plain);
  }

  private List<Row> all() {
    return Stream.concat(stamped.stream(), plain.stream()).toList();
  }

  /** The repeated rows, in order. */
  public Ints repeated() {
    return Ints.wrap(all().stream().mapToInt(Row::repeated).toArray());
  }

  /** The table with the rows added. */
  public Samples addedTo(Samples rows, List<Integer> shape) {
    Ints repeated = repeated();
    List<Row> all = all();
    int[] labels =
        IntStream.range(0, rows.count() + all.size())
            .map(
                row ->
                    row < rows.count()
                        ? rows.labels().get(row)
                        : all.get(row - rows.count()).label())
            .toArray();
    return new Samples(
        new StampedFeatures(rows.features(), shape, repeated, stamped.size(), stamp),
        Ints.wrap(labels),
        rows.users().map(users -> new Users(appended(users.bySample(), repeated), users.names())),
        rows.targets()
            .map(
                targets ->
                    new StampedFeatures(targets, List.of(targets.width()), repeated, 0, stamp)));
  }

  /** Attributes of rows, followed by those of the repeated rows. */
  public static Ints appended(Ints ofRows, Ints repeated) {
    return Ints.wrap(
        IntStream.range(0, ofRows.size() + repeated.size())
            .map(row -> ofRows.get(row < ofRows.size() ? row : repeated.get(row - ofRows.size())))
            .toArray());
  }
}
