package io.kindred.learning.data.own;

import io.kindred.core.weights.Ints;
import io.kindred.learning.data.FloatFeatures;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Collects samples and findings while an owner's data are read. */
public final class SampleCollector {
  /** Places that a finding names; the others are counted. */
  private static final int MOST_PLACES = 3;

  /** A task needs a scale, not the exact statistics of its author's data. */
  private static final MathContext SCALE = new MathContext(4);

  private final int width;
  private final List<String> classes;
  private final List<String> names = new ArrayList<>();
  private final List<float[]> rows = new ArrayList<>();
  private final List<Integer> labels = new ArrayList<>();
  private final List<OwnFinding> findings = new ArrayList<>();
  private final Map<String, List<String>> places = new LinkedHashMap<>();
  private final Map<String, String> remedies = new LinkedHashMap<>();

  public SampleCollector(TaskInputs inputs, List<String> classes) {
    this.width = inputs.width();
    this.classes = List.copyOf(classes);
  }

  /** Reports something about the data as a whole. */
  public void report(OwnFinding.Level level, String text, String remedy) {
    findings.add(new OwnFinding(level, text, remedy));
  }

  /** Reports that the task has another kind of samples. */
  public void reportOtherKind(String what, TaskInputs inputs) {
    report(
        OwnFinding.Level.FIX,
        what + ", but the samples of the task are " + inputs.kind(),
        "name other data");
  }

  /** Reports something wrong at one place; equal problems become one finding. */
  public void reportAt(String place, String problem, String remedy) {
    places.computeIfAbsent(problem, each -> new ArrayList<>()).add(place);
    remedies.putIfAbsent(problem, remedy);
  }

  /** Whether something about the data as a whole makes them unusable. */
  public boolean hasObstacle() {
    return findings.stream().anyMatch(each -> each.level() == OwnFinding.Level.FIX);
  }

  /** The number of a class, or −1 with a finding for a class that the task does not have. */
  public int classNumber(String name, String place) {
    int number = classes.indexOf(name);
    if (number < 0) {
      reportAt(
          place,
          "the class '" + name + "' is not in the task, whose classes are " + classes,
          "leave these samples out, correct the name, or agree on a task with this class");
    }
    return number;
  }

  /** Adds a sample; the array is taken over. */
  public void add(String name, float[] values, int label) {
    names.add(name);
    rows.add(values);
    labels.add(label);
  }

  /**
   * Adds a sample of a class by its name, unless it should have one that the task does not have.
   */
  public void addOf(String className, String name, float[] values, boolean labelled) {
    int label = labelled ? classNumber(className, name) : -1;
    if (label >= 0 || !labelled) {
      add(name, values, label);
    }
  }

  /** Everything that was collected. */
  public OwnSamples samples() {
    float[] values = new float[Math.multiplyExact(rows.size(), width)];
    for (int i = 0; i < rows.size(); i++) {
      System.arraycopy(rows.get(i), 0, values, i * width, width);
    }
    List<OwnFinding> all = new ArrayList<>(findings);
    places.forEach(
        (problem, where) ->
            all.add(
                new OwnFinding(
                    OwnFinding.Level.FIX,
                    listed(where) + ": " + problem,
                    remedies.getOrDefault(problem, ""))));
    if (rows.isEmpty() && all.isEmpty()) {
      all.add(new OwnFinding(OwnFinding.Level.FIX, "there is no sample", "add some"));
    }
    return new OwnSamples(
        names,
        new FloatFeatures(values, width),
        Ints.wrap(labels.stream().mapToInt(Integer::intValue).toArray()),
        all);
  }

  private static String listed(List<String> where) {
    String first = String.join(", ", where.subList(0, Math.min(MOST_PLACES, where.size())));
    int more = where.size() - MOST_PLACES;
    return more > 0 ? first + " and " + more + " more" : first;
  }

  /** Mean and deviation of each of some columns; a constant column is not scaled. */
  public static List<TaskInputs.Column> columns(List<String> names, List<float[]> rows) {
    double[] means = new double[names.size()];
    double[] squares = new double[names.size()];
    for (float[] row : rows) {
      for (int i = 0; i < means.length; i++) {
        means[i] += row[i];
      }
    }
    Arrays.setAll(means, i -> means[i] / Math.max(1, rows.size()));
    for (float[] row : rows) {
      for (int i = 0; i < means.length; i++) {
        squares[i] += (row[i] - means[i]) * (row[i] - means[i]);
      }
    }
    List<TaskInputs.Column> columns = new ArrayList<>();
    for (int i = 0; i < means.length; i++) {
      double deviation = Math.sqrt(squares[i] / Math.max(1, rows.size()));
      columns.add(
          new TaskInputs.Column(
              names.get(i),
              Optional.empty(),
              rounded(means[i]),
              deviation > 0 ? rounded(deviation) : 1));
    }
    return columns;
  }

  /** A number of a new task, with four significant digits. */
  public static double rounded(double value) {
    return value == 0 ? 0 : new BigDecimal(value).round(SCALE).doubleValue();
  }
}
