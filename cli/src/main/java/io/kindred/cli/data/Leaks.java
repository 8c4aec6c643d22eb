package io.kindred.cli.data;

import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.InputColumn;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.Task;
import io.kindred.learning.data.Users;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Ways in which a result may look better than the models are. */
final class Leaks {
  /** From this accuracy on, one column alone is suspicious. */
  private static final double TELLS = 0.99;

  /** Where one class is nearly everything, every column predicts it. */
  private static final double MOST_FREQUENT = 0.9;

  private final Dataset dataset;
  private final List<String> lines = new ArrayList<>();

  Leaks(Dataset dataset, Repetitions.Found repeated) {
    this.dataset = dataset;
    if (repeated.inBothParts() > 0) {
      lines.add(
          repeated.inBothParts()
              + " of "
              + dataset.test().count()
              + " test samples have the same inputs as a training sample");
    }
    users();
    if (dataset.task() == Task.CLASSIFICATION) {
      columns();
    }
  }

  List<String> lines() {
    return List.copyOf(lines);
  }

  private void users() {
    if (dataset.train().users().isEmpty() || dataset.test().users().isEmpty()) {
      return;
    }
    boolean[] trained = present(dataset.train().users().get());
    boolean[] tested = present(dataset.test().users().get());
    long both = IntStream.range(0, trained.length).filter(i -> trained[i] && tested[i]).count();
    long inTest = IntStream.range(0, tested.length).filter(i -> tested[i]).count();
    if (both > 0) {
      lines.add(
          both
              + " of "
              + inTest
              + " users of the common test also have training samples: it measures new samples of"
              + " known users, not new users");
    }
  }

  private static boolean[] present(Users users) {
    boolean[] present = new boolean[users.count()];
    for (int i = 0; i < users.bySample().size(); i++) {
      present[users.of(i)] = true;
    }
    return present;
  }

  /** Columns of a table whose value alone tells the class. */
  private void columns() {
    Samples train = dataset.train();
    int[] counts = new int[dataset.classes()];
    Arrays.stream(train.labels().copy()).forEach(label -> counts[label]++);
    int most = Arrays.stream(counts).max().orElse(0);
    if (most > MOST_FREQUENT * train.count()) {
      return;
    }
    int at = 0;
    for (InputColumn column : dataset.reading().task().columns()) {
      double accuracy = accuracy(at, column.width());
      if (accuracy >= TELLS) {
        lines.add(
            String.format(
                Locale.ROOT,
                "the column '%s' alone tells the class of %.1f %% of the training rows; name it in"
                    + " ignore if it is not known before the class",
                column.name(),
                100 * accuracy));
      }
      at += column.width();
    }
  }

  /**
   * The share of training rows with the most frequent class among rows of the same value; 0 for
   * columns whose values hardly repeat, which say nothing.
   */
  private double accuracy(int from, int width) {
    Samples train = dataset.train();
    float[] row = new float[train.features().width()];
    SortedMap<String, int[]> byValue = new TreeMap<>();
    for (int i = 0; i < train.count(); i++) {
      train.features().copy(i, row, 0);
      String value = Arrays.toString(Arrays.copyOfRange(row, from, from + width));
      byValue.computeIfAbsent(value, _ -> new int[dataset.classes()])[train.labels().get(i)]++;
    }
    if (byValue.size() > train.count() / 4) {
      return 0;
    }
    int right =
        byValue.values().stream().mapToInt(each -> Arrays.stream(each).max().orElse(0)).sum();
    return right / (double) train.count();
  }
}
