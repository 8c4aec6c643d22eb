package io.kindred.report.run;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * Scalars of a nested document by dotted path, such as {@code accuracy.local.mean}. Used for {@code
 * summary.json} and for the settings in {@code config.yaml}; unknown fields are kept, and missing
 * fields stay missing.
 */
public final class FlatDocument {
  /** A document without fields. */
  public static final FlatDocument EMPTY = new FlatDocument(new TreeMap<>());

  private final SortedMap<String, String> scalars;

  FlatDocument(SortedMap<String, String> scalars) {
    this.scalars = Collections.unmodifiableSortedMap(new TreeMap<>(scalars));
  }

  static FlatDocument of(JsonNode document) {
    SortedMap<String, String> scalars = new TreeMap<>();
    flatten("", document, scalars);
    return new FlatDocument(scalars);
  }

  private static void flatten(String path, JsonNode node, SortedMap<String, String> scalars) {
    if (node.isObject()) {
      String prefix = path.isEmpty() ? "" : path + ".";
      for (Map.Entry<String, JsonNode> entry : node.properties()) {
        flatten(prefix + entry.getKey(), entry.getValue(), scalars);
      }
    } else if (node.isArray()) {
      for (int i = 0; i < node.size(); i++) {
        flatten(path + "[" + i + "]", node.get(i), scalars);
      }
    } else if (!node.isNull() && !node.isMissingNode()) {
      scalars.put(path, node.asString());
    }
  }

  /** All scalars by path, sorted. */
  public SortedMap<String, String> scalars() {
    return scalars;
  }

  /** The number at this path, NaN where there is none. */
  public double number(String path) {
    String text = scalars.get(path);
    if (text == null) {
      return Double.NaN;
    }
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException notANumber) {
      return Double.NaN;
    }
  }

  /** The text at this path, empty where there is none. */
  public String text(String path) {
    return scalars.getOrDefault(path, "");
  }

  /** All scalars at or below this path, sorted, as {@code path=value}. */
  public List<String> entriesUnder(String path) {
    return scalars.entrySet().stream()
        .filter(e -> e.getKey().equals(path) || e.getKey().startsWith(path + "."))
        .map(e -> e.getKey() + "=" + e.getValue())
        .toList();
  }

  /** Numbers below this path by the remainder of their path, sorted. */
  public SortedMap<String, Double> numbersUnder(String path) {
    SortedMap<String, Double> result = new TreeMap<>();
    String prefix = path + ".";
    scalars.forEach(
        (key, text) -> {
          if (key.startsWith(prefix) && Double.isFinite(number(key))) {
            result.put(key.substring(prefix.length()), number(key));
          }
        });
    return result;
  }
}
