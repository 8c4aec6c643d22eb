package io.kindred.learning.data.own;

import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The inputs of a task's samples. All nodes scale by the numbers written here, never by statistics
 * of their own data.
 */
public record TaskInputs(
    @Setting(doc = "columns of a table, in the order of the model's inputs", fallback = "[]")
        List<Column> columns,
    @Setting(doc = "size and scaling of pictures") Optional<Pictures> pictures,
    @Setting(doc = "shape of a sample of tensors, which are not scaled", fallback = "[]")
        List<Integer> shape) {
  /** One column of a table; a value enters the model as (value - mean) / deviation. */
  public record Column(
      @Setting(doc = "name of the column") String name,
      @Setting(doc = "value that becomes 0", fallback = "0") double mean,
      @Setting(doc = "distance from the mean that becomes 1", fallback = "1", above = 0)
          double deviation) {}

  /** Size and scaling of pictures; a byte enters the model as (byte - mean) / deviation. */
  public record Pictures(
      @Setting(doc = "width and height in pixels", min = 1, max = 4096) int size,
      @Setting(doc = "whether pictures keep their colours", fallback = "true") boolean colour,
      @Setting(doc = "brightness from 0 to 255 that becomes 0", fallback = "127.5") double mean,
      @Setting(doc = "distance from the mean that becomes 1", fallback = "64", above = 0)
          double deviation) {
    /** Colours, height and width of a sample. */
    public List<Integer> shape() {
      return List.of(colour ? 3 : 1, size, size);
    }
  }

  public TaskInputs {
    columns = List.copyOf(columns);
    shape = List.copyOf(shape);
    int kinds =
        (columns.isEmpty() ? 0 : 1) + (pictures.isPresent() ? 1 : 0) + (shape.isEmpty() ? 0 : 1);
    if (kinds != 1) {
      throw new SettingException(
          "inputs",
          "a task has one kind of inputs, but " + kinds + " are given",
          "give one of 'columns', 'pictures' and 'shape'");
    }
    TreeSet<String> names = new TreeSet<>();
    for (Column each : columns) {
      if (!names.add(each.name())) {
        throw new SettingException(
            "columns", "the column '" + each.name() + "' is named twice", "name each column once");
      }
    }
    if (shape.stream().anyMatch(each -> each < 1)) {
      throw new SettingException(
          "shape", "the shape is " + shape, "give whole numbers of at least 1");
    }
  }

  /** Inputs that are columns of a table. */
  public static TaskInputs ofColumns(List<Column> columns) {
    return new TaskInputs(columns, Optional.empty(), List.of());
  }

  /** Inputs that are pictures. */
  public static TaskInputs ofPictures(Pictures pictures) {
    return new TaskInputs(List.of(), Optional.of(pictures), List.of());
  }

  /** Inputs that are tensors of one shape. */
  public static TaskInputs ofShape(List<Integer> shape) {
    return new TaskInputs(List.of(), Optional.empty(), shape);
  }

  /** The shape of one sample as a model sees it. */
  public List<Integer> sampleShape() {
    if (!columns.isEmpty()) {
      return List.of(columns.size());
    }
    return pictures.map(Pictures::shape).orElse(shape);
  }

  /** Values of one sample. */
  public int width() {
    return sampleShape().stream().reduce(1, Math::multiplyExact);
  }

  /** What the samples of the task are, for messages. */
  public String kind() {
    if (!columns.isEmpty()) {
      return "a table of " + columns.size() + " columns";
    }
    return pictures
        .map(each -> "pictures of " + each.size() + " x " + each.size() + " pixels")
        .orElse("tensors of the shape " + shape);
  }
}
