package io.kindred.learning.data.format;

import io.kindred.learning.data.FeatureScale;
import io.kindred.learning.data.InputColumn;
import io.kindred.learning.data.TaskDescription;
import io.kindred.learning.data.TaskDescriptionBuilder;
import io.kindred.learning.data.WordWeight;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Reads a {@link TaskDescription} from JSON, as the JSON form of the record is written. */
public final class TaskReader {
  private final JsonReader json;

  private TaskReader(JsonReader json) {
    this.json = json;
  }

  /** The task in a document that has a field {@code task}, such as {@code data.json} of a run. */
  public static TaskDescription ofReading(String file, byte[] bytes) {
    JsonReader json = new JsonReader(file, bytes);
    List<TaskDescription> found = new ArrayList<>();
    json.object(
        key -> {
          if (key.equals("task")) {
            found.add(new TaskReader(json).task());
          } else {
            json.skip();
          }
        });
    json.finish();
    if (found.isEmpty()) {
      throw json.damaged("there is no task in this document");
    }
    return found.getFirst();
  }

  private TaskDescription task() {
    TaskDescriptionBuilder task = TaskDescriptionBuilder.from(TaskDescription.NONE);
    json.object(
        key -> {
          switch (key) {
            case "classes" -> task.classes(list(json::string));
            case "scales" -> task.scales(list(this::scale));
            case "columns" -> task.columns(list(this::column));
            case "words" -> task.words(list(this::word));
            case "targets" -> task.targets(list(json::string));
            case "targetScales" -> task.targetScales(list(this::scale));
            default -> throw json.damaged("a task has no '" + key + "'");
          }
        });
    return task.build();
  }

  private <T> List<T> list(Supplier<T> item) {
    List<T> items = new ArrayList<>();
    json.array(() -> items.add(item.get()));
    return items;
  }

  private FeatureScale scale() {
    double[] values = {0, 1};
    json.object(
        key -> {
          switch (key) {
            case "mean" -> values[0] = json.number();
            case "deviation" -> values[1] = json.number();
            default -> throw json.damaged("a scale has no '" + key + "'");
          }
        });
    if (!(values[1] > 0)) {
      throw json.damaged("a deviation must be above 0, not " + values[1]);
    }
    return new FeatureScale(values[0], values[1]);
  }

  private InputColumn column() {
    String[] words = {"", ""};
    List<String> categories = new ArrayList<>();
    json.object(
        key -> {
          switch (key) {
            case "name" -> words[0] = json.string();
            case "filling" -> words[1] = json.string();
            case "categories" -> categories.addAll(list(json::string));
            default -> throw json.damaged("a column has no '" + key + "'");
          }
        });
    return new InputColumn(words[0], categories, words[1]);
  }

  private WordWeight word() {
    String[] word = {""};
    double[] weight = {0};
    json.object(
        key -> {
          switch (key) {
            case "word" -> word[0] = json.string();
            case "weight" -> weight[0] = json.number();
            default -> throw json.damaged("a word has no '" + key + "'");
          }
        });
    return new WordWeight(word[0], weight[0]);
  }
}
