package io.kindred.experiment.tuning;

import io.kindred.core.config.Catalogue;
import io.kindred.methods.catalogue.Methods;
import io.kindred.runtime.config.Experiment;
import io.kindred.storage.OperatorException;
import io.kindred.storage.config.ConfigNode;
import io.kindred.storage.config.ConfigNode.Mapping;
import io.kindred.storage.config.ConfigNode.Scalar;
import io.kindred.storage.config.NearestName;
import io.kindred.storage.config.SchemaDoc;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * The settings that a tuning varies for one method: those of training, which are the same for every
 * method, and then the method's own.
 */
public record SearchSpace(List<TunedKey> keys) {
  /** Where the keys of the method and of training begin; other keys would change the task. */
  static final String METHOD = "method.";

  private static final String TRAINING = "training.";

  private static final SchemaDoc SCHEMA = new SchemaDoc(Experiment.CATALOGUES);

  /**
   * One setting that is varied.
   *
   * @param path the key by its dotted path in an experiment file
   * @param whole whether its values are whole numbers
   */
  public record TunedKey(String path, TuningRange range, boolean whole) {}

  /** A range that the user gives for a key, in place of the declared one or beside it. */
  public record KeyRange(String key, String range) {
    /** Reads {@code KEY=RANGE}. */
    public static KeyRange parse(String text) {
      int equals = text.indexOf('=');
      if (equals < 1 || text.substring(equals + 1).isBlank()) {
        throw wrong(
            "--param "
                + text
                + ": has no range; write KEY=RANGE, as in --param \"method.mu=0.001..1 log\"");
      }
      return new KeyRange(text.substring(0, equals).strip(), text.substring(equals + 1).strip());
    }

    private String where() {
      return "--param " + key + "=" + range;
    }

    /** The key's path in an experiment of this method, where {@code ditto.lambda} names one. */
    private String path(String method) {
      return key.startsWith(method + ".") ? METHOD + key.substring(method.length() + 1) : key;
    }
  }

  public SearchSpace {
    keys = List.copyOf(keys);
  }

  /** The declared ranges of a method and those that the user gives, around the current values. */
  public static SearchSpace of(String method, Mapping resolved, List<KeyRange> given) {
    List<TunedKey> keys = new ArrayList<>();
    // Settings of training stand first, so that methods share the draws for them.
    rows(method)
        .forEach(
            (path, row) ->
                range(path, row, method, given)
                    .map(range -> key(row, range, resolved))
                    .ifPresent(keys::add));
    return new SearchSpace(keys);
  }

  /** A range as text, the key that it is for, and its origin for an error message. */
  private record WrittenRange(String path, String text, String where) {}

  private static Optional<WrittenRange> range(
      String path, SchemaDoc.Row row, String method, List<KeyRange> given) {
    return given.stream()
        .filter(each -> each.path(method).equals(path))
        .reduce((first, last) -> last)
        .map(each -> new WrittenRange(path, each.range(), each.where()))
        .or(
            () ->
                Optional.of(new WrittenRange(path, row.tune(), "the range of " + path))
                    .filter(declared -> !declared.text().isEmpty()));
  }

  private static TunedKey key(SchemaDoc.Row row, WrittenRange range, Mapping resolved) {
    String current = currentValue(resolved, range.path()).map(Scalar::text).orElse("0");
    return new TunedKey(
        range.path(),
        TuningRange.parse(range.text(), range.where(), row.isNumber())
            .around(current, range.where()),
        row.isWhole());
  }

  /** Refuses a range whose key no method has. */
  static void requireKnown(List<KeyRange> given, List<String> methods) {
    for (KeyRange each : given) {
      if (methods.stream().noneMatch(method -> rows(method).containsKey(each.path(method)))) {
        throw wrong(each.where() + ": " + unknown(each.key(), methods));
      }
    }
  }

  private static String unknown(String key, List<String> methods) {
    String first = key.contains(".") ? key.substring(0, key.indexOf('.')) : key;
    if (Methods.ALL.names().contains(first) && !methods.contains(first)) {
      return "'" + first + "' is not tuned; add it to --methods, or leave the range out";
    }
    List<String> known =
        methods.stream().flatMap(method -> rows(method).keySet().stream()).distinct().toList();
    return "there is no such key; "
        + NearestName.among(known, key)
            .map(near -> "did you mean '" + near + "'?")
            .orElse("name a key as in training.momentum, method.lambda or ditto.lambda");
  }

  /** The scalar settings of training and of a method, by their paths in an experiment file. */
  private static SequencedMap<String, SchemaDoc.Row> rows(String method) {
    SequencedMap<String, SchemaDoc.Row> rows = new LinkedHashMap<>();
    for (SchemaDoc.Row row : SCHEMA.rows(Experiment.class)) {
      if (row.path().startsWith(TRAINING)) {
        rows.put(row.path(), row);
      }
    }
    for (SchemaDoc.Choice choice : SCHEMA.choices(Methods.ALL)) {
      if (choice.name().equals(method)) {
        addRows(METHOD, choice, rows);
      }
    }
    rows.values().removeIf(SchemaDoc.Row::isComposite);
    return rows;
  }

  /** Adds the settings of a choice; those of a choice inside it follow, whichever is made. */
  private static void addRows(
      String prefix, SchemaDoc.Choice choice, SequencedMap<String, SchemaDoc.Row> rows) {
    for (SchemaDoc.Row row : choice.settings()) {
      rows.putIfAbsent(prefix + row.path(), row);
      for (Catalogue<?> inner : Experiment.CATALOGUES) {
        if (row.type().equals(inner.noun())) {
          SCHEMA.choices(inner).forEach(each -> addRows(prefix + row.path() + ".", each, rows));
        }
      }
    }
  }

  /** The value that a resolved experiment has at a path; empty for an option that is left out. */
  static Optional<Scalar> currentValue(Mapping resolved, String path) {
    Optional<ConfigNode> found = resolved.findAt(path);
    return found.filter(Scalar.class::isInstance).map(Scalar.class::cast).filter(s -> !s.missing());
  }

  static OperatorException wrong(String line) {
    return new OperatorException(OperatorException.WRONG_USE, line);
  }
}
