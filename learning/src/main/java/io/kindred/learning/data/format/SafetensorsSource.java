package io.kindred.learning.data.format;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.DataSource;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.FloatFeatures;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.StratifiedSplit;
import io.kindred.learning.data.Users;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A user's own data as one safetensors file: {@code features} with a row per sample, {@code labels}
 * with integers from 0 on, and optionally {@code users} likewise. {@code test_features}, {@code
 * test_labels} and {@code test_users} are the common test set; without them a share of every class
 * is drawn for it. Values are not scaled.
 */
@Named(
    value = "safetensors",
    summary = "your own samples: features and labels in a safetensors file")
public record SafetensorsSource(
    @Setting(
            doc = "folder of the file: a path below the data folder, or any other path",
            fallback = "safetensors")
        String folder,
    @Setting(doc = "name of the file", fallback = "data.safetensors") String file,
    @Setting(
            doc = "share of each class that becomes the common test set if the file has none",
            fallback = "0.2",
            above = 0,
            max = 0.9)
        double testShare)
    implements DataSource {
  private static final String TEST = "test_";

  /** Rows of one part; {@code users} is empty if the users are unknown. */
  private static final class Part {
    private final float[] values;
    private final int width;
    private final int[] labels;
    private final int[] users;

    private Part(float[] values, int width, int[] labels, int[] users) {
      this.values = values;
      this.width = width;
      this.labels = labels;
      this.users = users;
    }

    Part select(boolean[] marks, boolean mark) {
      int count = 0;
      Part chosen = new Part(values.clone(), width, labels.clone(), users.clone());
      for (int i = 0; i < labels.length; i++) {
        if (marks[i] == mark) {
          System.arraycopy(values, i * width, chosen.values, count * width, width);
          chosen.labels[count] = labels[i];
          if (users.length > 0) {
            chosen.users[count] = users[i];
          }
          count++;
        }
      }
      return new Part(
          Arrays.copyOf(chosen.values, count * width),
          width,
          Arrays.copyOf(chosen.labels, count),
          users.length > 0 ? Arrays.copyOf(chosen.users, count) : users);
    }
  }

  @Override
  public Dataset load(RandomStreams streams, DataFiles files) {
    SafetensorsBytes tensors = new SafetensorsBytes(folder + "/" + file, files.read(folder, file));
    List<Integer> shape = tensors.require("features").shape();
    Part all = part(tensors, "", shape);
    int classes = 1 + Arrays.stream(all.labels).max().orElse(0);
    if (classes < 2) {
      throw tensors.damaged(tensors.require("labels").start(), "all labels are 0");
    }
    if (tensors.find(TEST + "features").isPresent()) {
      return dataset(shape, classes, all, part(tensors, TEST, shape), tensors);
    }
    boolean[] marks = StratifiedSplit.draw(all.labels, classes, testShare, streams);
    return dataset(shape, classes, all.select(marks, false), all.select(marks, true), tensors);
  }

  private static Part part(SafetensorsBytes tensors, String prefix, List<Integer> like) {
    SafetensorsBytes.Tensor features = tensors.require(prefix + "features");
    SafetensorsBytes.Tensor labels = tensors.require(prefix + "labels");
    Optional<SafetensorsBytes.Tensor> users = tensors.find(prefix + "users");
    if (features.shape().size() < 2
        || !features
            .shape()
            .subList(1, features.shape().size())
            .equals(like.subList(1, like.size()))
        || features.size() == 0) {
      throw tensors.damaged(
          features.start(), features.name() + " has the shape " + features.shape());
    }
    int count = features.shape().getFirst();
    requireOneEach(tensors, labels, count);
    users.ifPresent(known -> requireOneEach(tensors, known, count));
    return new Part(
        tensors.floats(features),
        features.size() / count,
        tensors.nonNegativeInts(labels),
        users.map(tensors::nonNegativeInts).orElse(new int[0]));
  }

  private static void requireOneEach(
      SafetensorsBytes tensors, SafetensorsBytes.Tensor each, int count) {
    if (!each.shape().equals(List.of(count))) {
      throw tensors.damaged(
          each.start(), each.name() + " has the shape " + each.shape() + " for " + count + " rows");
    }
  }

  private static Dataset dataset(
      List<Integer> shape, int classes, Part train, Part test, SafetensorsBytes tensors) {
    for (int i = 0; i < test.labels.length; i++) {
      if (test.labels[i] >= classes) {
        throw tensors.damaged(
            tensors.require(TEST + "labels").start(),
            "value " + i + " is " + test.labels[i] + ", but training has " + classes + " classes");
      }
    }
    int users =
        1
            + Math.max(
                Arrays.stream(train.users).max().orElse(-1),
                Arrays.stream(test.users).max().orElse(-1));
    List<String> names = new ArrayList<>();
    for (int i = 0; i < users; i++) {
      names.add(Integer.toString(i));
    }
    return new Dataset(
        "safetensors",
        shape.subList(1, shape.size()),
        classes,
        samples(train, names),
        samples(test, names));
  }

  private static Samples samples(Part part, List<String> names) {
    return new Samples(
        new FloatFeatures(part.values, part.width),
        Ints.of(part.labels),
        part.users.length == 0
            ? Optional.empty()
            : Optional.of(new Users(Ints.of(part.users), names)));
  }
}
