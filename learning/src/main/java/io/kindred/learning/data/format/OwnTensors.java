package io.kindred.learning.data.format;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.own.OwnFinding;
import io.kindred.learning.data.own.OwnSamples;
import io.kindred.learning.data.own.OwnSource;
import io.kindred.learning.data.own.SampleCollector;
import io.kindred.learning.data.own.TaskInputs;
import io.kindred.learning.data.own.TaskSuggestion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Tensors of one owner in a safetensors file: {@code features} with a row for each sample and
 * {@code labels} with class numbers of the task. Values are not scaled.
 */
@Named(value = "safetensors", summary = "features and labels in a safetensors file")
public record OwnTensors(@Setting(doc = "the file", fallback = "data.safetensors") String file)
    implements OwnSource {
  @Override
  public String location() {
    return file;
  }

  @Override
  public OwnSamples read(
      TaskInputs inputs, List<String> classes, boolean labelled, DataFiles files) {
    SafetensorsBytes tensors = new SafetensorsBytes(file, files.read("", file));
    SafetensorsBytes.Tensor features = tensors.require("features");
    SampleCollector collector = new SampleCollector(inputs, classes);
    List<Integer> shape = features.shape();
    if (inputs.shape().isEmpty()
        || shape.isEmpty()
        || !shape.subList(1, shape.size()).equals(inputs.shape())) {
      collector.report(
          OwnFinding.Level.FIX,
          "'features' of "
              + file
              + " has the shape "
              + shape
              + ", but the samples of the task are "
              + inputs.kind(),
          "write a row of that shape for each sample");
      return collector.samples();
    }
    int count = shape.getFirst();
    int[] labels = labels(tensors, count, labelled);
    float[] values = tensors.floats(features);
    int width = inputs.width();
    for (int i = 0; i < count; i++) {
      String place = "sample " + i;
      int label = labelled ? labels[i] : -1;
      if (label >= classes.size()) {
        collector.reportAt(
            place,
            "the label " + label + " is no class of the task, which has " + classes.size(),
            "number the classes from 0 in the order of the task");
      } else {
        collector.add(place, Arrays.copyOfRange(values, i * width, (i + 1) * width), label);
      }
    }
    return collector.samples();
  }

  private static int[] labels(SafetensorsBytes tensors, int count, boolean labelled) {
    if (!labelled) {
      return new int[count];
    }
    SafetensorsBytes.Tensor labels = tensors.require("labels");
    if (!labels.shape().equals(List.of(count))) {
      throw tensors.damaged(
          labels.start(), "labels has the shape " + labels.shape() + " for " + count + " rows");
    }
    return tensors.nonNegativeInts(labels);
  }

  @Override
  public TaskSuggestion suggest(DataFiles files) {
    SafetensorsBytes tensors = new SafetensorsBytes(file, files.read("", file));
    SafetensorsBytes.Tensor features = tensors.require("features");
    List<Integer> shape = features.shape();
    if (shape.size() < 2 || features.size() == 0) {
      throw tensors.damaged(features.start(), "features has the shape " + shape);
    }
    int most = Arrays.stream(labels(tensors, shape.getFirst(), true)).max().orElse(0);
    List<String> classes = new ArrayList<>();
    for (int i = 0; i <= most; i++) {
      classes.add(Integer.toString(i));
    }
    return new TaskSuggestion(TaskInputs.ofShape(shape.subList(1, shape.size())), classes);
  }
}
