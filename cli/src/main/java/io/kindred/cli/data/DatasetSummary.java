package io.kindred.cli.data;

import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.Users;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Statistics of a data set.
 *
 * @param values statistics of the first training samples, as a model will see them
 */
public record DatasetSummary(
    String dataset,
    List<Integer> shape,
    int classes,
    List<String> classNames,
    int train,
    int test,
    List<Integer> trainPerClass,
    List<Integer> testPerClass,
    Values values,
    Optional<UserCounts> users) {
  private static final int MOST_SAMPLES_READ = 2000;
  private static final int BAR = 32;
  private static final int LONGEST_NAME = 30;

  /** Mean, deviation and range over some samples. */
  public record Values(int samples, double mean, double deviation, double least, double most) {}

  /** The number of users and of samples per user, over training and test data together. */
  public record UserCounts(int count, int inTrain, int inTest, int fewest, int median, int most) {}

  public DatasetSummary {
    shape = List.copyOf(shape);
    classNames = List.copyOf(classNames);
    trainPerClass = List.copyOf(trainPerClass);
    testPerClass = List.copyOf(testPerClass);
  }

  public static DatasetSummary of(Dataset dataset) {
    return new DatasetSummary(
        dataset.name(),
        dataset.shape(),
        dataset.classes(),
        IntStream.range(0, dataset.classes()).mapToObj(dataset::className).toList(),
        dataset.train().count(),
        dataset.test().count(),
        histogram(dataset.train(), dataset.classes()),
        histogram(dataset.test(), dataset.classes()),
        values(dataset.train()),
        dataset
            .train()
            .users()
            .flatMap(train -> dataset.test().users().map(test -> users(train, test))));
  }

  private static List<Integer> histogram(Samples samples, int classes) {
    int[] counts = new int[classes];
    for (int i = 0; i < samples.count(); i++) {
      counts[samples.labels().get(i)]++;
    }
    return Arrays.stream(counts).boxed().toList();
  }

  private static Values values(Samples samples) {
    int count = Math.min(MOST_SAMPLES_READ, samples.count());
    float[] row = new float[samples.features().width()];
    double sum = 0;
    double squares = 0;
    double least = Double.POSITIVE_INFINITY;
    double most = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < count; i++) {
      samples.features().copy(i, row, 0);
      for (float value : row) {
        sum += value;
        squares += (double) value * value;
        least = Math.min(least, value);
        most = Math.max(most, value);
      }
    }
    double all = (double) count * row.length;
    double mean = sum / all;
    return new Values(
        count, mean, Math.sqrt(Math.max(0, squares / all - mean * mean)), least, most);
  }

  private static UserCounts users(Users train, Users test) {
    int[] inTrain = counts(train);
    int[] inTest = counts(test);
    int[] both = new int[inTrain.length];
    for (int user = 0; user < both.length; user++) {
      both[user] = inTrain[user] + inTest[user];
    }
    Arrays.sort(both);
    return new UserCounts(
        both.length,
        (int) Arrays.stream(inTrain).filter(each -> each > 0).count(),
        (int) Arrays.stream(inTest).filter(each -> each > 0).count(),
        both[0],
        both[both.length / 2],
        both[both.length - 1]);
  }

  private static int[] counts(Users users) {
    int[] counts = new int[users.count()];
    for (int i = 0; i < users.bySample().size(); i++) {
      counts[users.of(i)]++;
    }
    return counts;
  }

  private static String shortened(String name) {
    return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME - 1) + "…";
  }

  /** The summary as text for users. */
  public String text() {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%s: %,d training and %,d test samples, shape %s, %d classes",
            dataset,
            train,
            test,
            shape.stream().map(String::valueOf).collect(Collectors.joining(" x ")),
            classes));
    lines.add(
        String.format(
            Locale.ROOT,
            "values of the first %,d training samples: mean %.3f, deviation %.3f, from %.3f to"
                + " %.3f",
            values.samples,
            values.mean,
            values.deviation,
            values.least,
            values.most));
    users.ifPresent(
        each ->
            lines.add(
                String.format(
                    Locale.ROOT,
                    "users: %,d, of them %,d in training and %,d in the test, with %,d to %,d"
                        + " samples (median %,d)",
                    each.count,
                    each.inTrain,
                    each.inTest,
                    each.fewest,
                    each.most,
                    each.median)));
    int name =
        Math.clamp(classNames.stream().mapToInt(String::length).max().orElse(0), 5, LONGEST_NAME);
    lines.add("%%%ds    train     test".formatted(name).formatted("class"));
    int most = trainPerClass.stream().mapToInt(Integer::intValue).max().orElse(1);
    for (int label = 0; label < classes; label++) {
      int count = trainPerClass.get(label);
      lines.add(
          String.format(
              Locale.ROOT,
              "%" + name + "s %8d %8d  %s",
              shortened(classNames.get(label)),
              count,
              testPerClass.get(label),
              "█".repeat(Math.round((float) BAR * count / Math.max(1, most)))));
    }
    return String.join("\n", lines) + "\n";
  }
}
