package io.kindred.learning.data.sensor;

import io.kindred.core.config.Named;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.DamagedDataException;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.DataSource;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.FloatFeatures;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.Scaling;
import io.kindred.learning.data.Users;
import io.kindred.learning.data.format.Idx;
import io.kindred.learning.data.format.TextLines;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Human activity by smartphone (Anguita et al., 2013; UCI): 30 persons, nine channels of 128 steps
 * at 50 Hz, six activities. Read from the original text files, or from idx files that hold the same
 * values times 4096. The test persons are those of the publication; the users are the persons.
 */
@Named(
    value = "uci-har",
    summary =
        "activities measured by smartphones, 9 channels x 128 steps, 6 classes, 30"
            + " persons as users")
public record UciHar() implements DataSource {
  private static final String SET = "uci-har";
  private static final List<String> CHANNELS =
      List.of(
          "body_acc_x",
          "body_acc_y",
          "body_acc_z",
          "body_gyro_x",
          "body_gyro_y",
          "body_gyro_z",
          "total_acc_x",
          "total_acc_y",
          "total_acc_z");
  private static final int STEPS = 128;
  private static final int WIDTH = 9 * STEPS;
  private static final int CLASSES = 6;
  private static final int PERSONS = 30;
  private static final List<Integer> TEST_PERSONS = List.of(2, 4, 9, 10, 12, 13, 18, 20, 24);
  private static final float IDX_UNIT = 1 / 4096f;
  private static final String INERTIAL = "har-inertial-int16-idx3";

  /** Values, activities from 0 and persons from 1, sample by sample. */
  private static final class Part {
    private final float[] values;
    private final int[] labels;
    private final int[] persons;

    private Part(float[] values, int[] labels, int[] persons) {
      this.values = values;
      this.labels = labels;
      this.persons = persons;
    }

    Samples samples() {
      List<String> names = new ArrayList<>();
      for (int person = 1; person <= PERSONS; person++) {
        names.add(person < 10 ? "0" + person : Integer.toString(person));
      }
      int[] users = new int[persons.length];
      for (int i = 0; i < users.length; i++) {
        users[i] = persons[i] - 1;
      }
      return new Samples(
          new FloatFeatures(values, WIDTH),
          Ints.of(labels),
          Optional.of(new Users(Ints.wrap(users), names)));
    }
  }

  @Override
  public Dataset load(RandomStreams streams, DataFiles files) {
    if (files.has(SET, INERTIAL)) {
      Part all = readIdxFiles(files);
      return dataset(select(all, false), select(all, true));
    }
    return dataset(readTextFiles(files, "train"), readTextFiles(files, "test"));
  }

  private static Dataset dataset(Part train, Part test) {
    Scaling.fitAndApply(train.values, test.values, WIDTH, STEPS);
    return new Dataset(
            SET, List.of(CHANNELS.size(), 1, STEPS), CLASSES, train.samples(), test.samples())
        .named(
            "walking", "walking upstairs", "walking downstairs", "sitting", "standing", "laying");
  }

  private static Part readIdxFiles(DataFiles files) {
    Idx inertial = Idx.parseShorts(SET + "/" + INERTIAL, files.read(SET, INERTIAL), 3);
    int count = inertial.extent(0);
    if (inertial.extent(1) != CHANNELS.size() || inertial.extent(2) != STEPS) {
      throw new DamagedDataException(
          SET + "/" + INERTIAL,
          "byte 8",
          inertial.extent(1) + " channels of " + inertial.extent(2) + " steps, not 9 of 128");
    }
    int[] labels = readIdxColumn(files, "har-activity-idx1-ubyte", count, 0, CLASSES);
    int[] persons = readIdxColumn(files, "har-subject-idx1-ubyte", count, 1, PERSONS);
    float[] values = new float[count * WIDTH];
    for (int i = 0; i < values.length; i++) {
      values[i] = inertial.shortAt(i) * IDX_UNIT;
    }
    return new Part(values, labels, persons);
  }

  private static int[] readIdxColumn(
      DataFiles files, String name, int count, int first, int kinds) {
    Idx idx = Idx.parse(SET + "/" + name, files.read(SET, name), 1);
    if (idx.extent(0) != count) {
      throw new DamagedDataException(
          SET + "/" + name, "byte 4", idx.extent(0) + " values for " + count + " samples");
    }
    int[] values = idx.labels(count, first, kinds).copy();
    for (int i = 0; i < values.length; i++) {
      values[i] += first;
    }
    return values;
  }

  private static Part select(Part all, boolean test) {
    List<Integer> chosen = new ArrayList<>();
    for (int i = 0; i < all.persons.length; i++) {
      if (TEST_PERSONS.contains(all.persons[i]) == test) {
        chosen.add(i);
      }
    }
    float[] values = new float[chosen.size() * WIDTH];
    int[] labels = new int[chosen.size()];
    int[] persons = new int[chosen.size()];
    for (int i = 0; i < labels.length; i++) {
      System.arraycopy(all.values, chosen.get(i) * WIDTH, values, i * WIDTH, WIDTH);
      labels[i] = all.labels[chosen.get(i)];
      persons[i] = all.persons[chosen.get(i)];
    }
    return new Part(values, labels, persons);
  }

  private static Part readTextFiles(DataFiles files, String part) {
    int[] labels = readNumbers(files, part + "/y_" + part + ".txt", CLASSES);
    int[] persons = readNumbers(files, part + "/subject_" + part + ".txt", PERSONS);
    float[] values = new float[labels.length * WIDTH];
    for (int channel = 0; channel < CHANNELS.size(); channel++) {
      String name = part + "/Inertial Signals/" + CHANNELS.get(channel) + "_" + part + ".txt";
      TextLines lines = lines(files, name, labels.length);
      for (int i = 0; i < labels.length; i++) {
        String[] words = lines.words(i, ' ', STEPS);
        for (int step = 0; step < STEPS; step++) {
          values[i * WIDTH + channel * STEPS + step] = lines.realNumber(i, words[step]);
        }
      }
    }
    requireOneEach(part, labels, persons);
    for (int i = 0; i < labels.length; i++) {
      labels[i]--;
    }
    return new Part(values, labels, persons);
  }

  private static void requireOneEach(String part, int[] labels, int[] persons) {
    if (persons.length != labels.length) {
      throw new DamagedDataException(
          SET + "/" + part + "/subject_" + part + ".txt",
          "line " + persons.length,
          persons.length + " lines for " + labels.length + " samples");
    }
  }

  private static int[] readNumbers(DataFiles files, String name, int most) {
    TextLines lines = TextLines.of(SET + "/" + name, files.read(SET, name));
    int[] numbers = new int[lines.count()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = lines.wholeNumber(i, lines.line(i), 1, most, "a number");
    }
    return numbers;
  }

  private static TextLines lines(DataFiles files, String name, int expected) {
    TextLines lines = TextLines.of(SET + "/" + name, files.read(SET, name));
    if (lines.count() != expected) {
      throw lines.damaged(lines.count() - 1, lines.count() + " lines for " + expected + " samples");
    }
    return lines;
  }
}
