package io.kindred.report.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which classes the last models of all peers take for which, from {@code confusion.csv}.
 *
 * @param samples row by row: how many samples of a class were taken for each class
 */
public record Confusions(List<String> classes, List<long[]> samples) {
  public Confusions {
    classes = List.copyOf(classes);
    samples = List.copyOf(samples);
  }

  /** Samples of one class that were taken for another. */
  public record Mistake(String label, String predicted, long samples) {}

  /**
   * Reads the file.
   *
   * @param known the names of the classes in their order; empty if they have only numbers
   */
  static Confusions read(Path from, List<String> known) throws IOException {
    PlainCsv file = PlainCsv.read(from);
    List<String> classes = known.isEmpty() ? numbers(file) : known;
    List<long[]> samples = new ArrayList<>();
    for (int i = 0; i < classes.size(); i++) {
      samples.add(new long[classes.size()]);
    }
    int count = file.header().indexOf("samples");
    for (int row = 0; row < file.rows().size(); row++) {
      int label = number(classes, file, row, "class", from);
      int predicted = number(classes, file, row, "predicted", from);
      samples.get(label)[predicted] += Math.round(file.number(row, Math.max(0, count)));
    }
    return new Confusions(classes, samples);
  }

  private static int number(List<String> classes, PlainCsv file, int row, String column, Path from)
      throws DamagedRunException {
    int number = classes.indexOf(file.text(row, column));
    if (number < 0) {
      throw new DamagedRunException(
          from, row + 2L, "'" + file.text(row, column) + "' is not a class of data.json");
    }
    return number;
  }

  private static List<String> numbers(PlainCsv file) throws DamagedRunException {
    SortedSet<String> found =
        new TreeSet<>(Comparator.comparingInt(String::length).thenComparing(each -> each));
    for (int row = 0; row < file.rows().size(); row++) {
      found.add(file.text(row, "class"));
      found.add(file.text(row, "predicted"));
    }
    return List.copyOf(found);
  }

  /** The pairs of classes that are confused most often, the most frequent first. */
  public List<Mistake> mistakes(int most) {
    List<Mistake> all = new ArrayList<>();
    for (int label = 0; label < classes.size(); label++) {
      for (int predicted = 0; predicted < classes.size(); predicted++) {
        if (label != predicted && samples.get(label)[predicted] > 0) {
          all.add(
              new Mistake(
                  classes.get(label), classes.get(predicted), samples.get(label)[predicted]));
        }
      }
    }
    all.sort(Comparator.comparingLong(Mistake::samples).reversed());
    return all.subList(0, Math.min(most, all.size()));
  }
}
