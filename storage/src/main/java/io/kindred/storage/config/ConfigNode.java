package io.kindred.storage.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A configuration tree that records where each part was written. Equality ignores the location, so
 * that a tree equals its re-read copy.
 */
public sealed interface ConfigNode {
  /** The key that starts every named choice, as in {@code {name: dirichlet, alpha: 0.1}}. */
  String NAME = "name";

  Origin origin();

  /** The choice this node names: its {@link #NAME} if it is a mapping, its text if a scalar. */
  default Optional<String> choiceName() {
    return Optional.empty();
  }

  /** What a scalar is before a target type reads it. */
  enum Form {
    /** A number, true or false. */
    PLAIN,
    /** Text, which is quoted when written if it could be mistaken for a number. */
    TEXT,
    /** A key without a value, or {@code null}. */
    MISSING
  }

  /** One value, kept as the text that was written. */
  record Scalar(String text, Form form, Origin origin) implements ConfigNode {
    public boolean missing() {
      return form == Form.MISSING;
    }

    @Override
    public Optional<String> choiceName() {
      return missing() ? Optional.empty() : Optional.of(text);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Scalar scalar
          && text.equals(scalar.text)
          && missing() == scalar.missing();
    }

    @Override
    public int hashCode() {
      return text.hashCode();
    }
  }

  /** A key, the location of the key, and its value. */
  record Entry(String key, Origin origin, ConfigNode value) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Entry entry && key.equals(entry.key) && value.equals(entry.value);
    }

    @Override
    public int hashCode() {
      return Objects.hash(key, value);
    }
  }

  /** Keys in the order in which they were written. */
  record Mapping(List<Entry> entries, Origin origin) implements ConfigNode {
    public Mapping {
      entries = List.copyOf(entries);
    }

    public static Mapping empty(Origin origin) {
      return new Mapping(List.of(), origin);
    }

    /** A mapping with one value at a dotted path. */
    public static Mapping nested(String path, ConfigNode value) {
      Origin origin = value.origin();
      int dot = path.indexOf('.');
      Entry entry =
          dot < 0
              ? new Entry(path, origin, value)
              : new Entry(path.substring(0, dot), origin, nested(path.substring(dot + 1), value));
      return new Mapping(List.of(entry), origin);
    }

    /** The value at a dotted path. */
    public Optional<ConfigNode> findAt(String path) {
      int dot = path.indexOf('.');
      if (dot < 0) {
        return find(path);
      }
      return find(path.substring(0, dot))
          .filter(Mapping.class::isInstance)
          .flatMap(inner -> ((Mapping) inner).findAt(path.substring(dot + 1)));
    }

    public Optional<Entry> entry(String key) {
      return entries.stream().filter(entry -> entry.key().equals(key)).findFirst();
    }

    public Optional<ConfigNode> find(String key) {
      return entry(key).map(Entry::value);
    }

    public List<String> keys() {
      return entries.stream().map(Entry::key).toList();
    }

    /** This mapping with the entry in its old place, or at the end where the key is new. */
    public Mapping with(Entry added) {
      List<Entry> changed = new ArrayList<>();
      boolean placed = false;
      for (Entry entry : entries) {
        boolean same = entry.key().equals(added.key());
        changed.add(same ? added : entry);
        placed |= same;
      }
      if (!placed) {
        changed.add(added);
      }
      return new Mapping(changed, origin);
    }

    /** This mapping without the value at a dotted path, and without sections that it empties. */
    public Mapping withoutAt(String path) {
      int dot = path.indexOf('.');
      if (dot < 0) {
        return without(path);
      }
      String key = path.substring(0, dot);
      if (findAt(path).isEmpty() || !(find(key).orElseThrow() instanceof Mapping inner)) {
        return this;
      }
      Mapping rest = inner.withoutAt(path.substring(dot + 1));
      return rest.entries().isEmpty()
          ? without(key)
          : with(new Entry(key, entry(key).orElseThrow().origin(), rest));
    }

    public Mapping without(String key) {
      return new Mapping(
          entries.stream().filter(entry -> !entry.key().equals(key)).toList(), origin);
    }

    @Override
    public Optional<String> choiceName() {
      return find(NAME).filter(Scalar.class::isInstance).flatMap(ConfigNode::choiceName);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Mapping mapping && entries.equals(mapping.entries);
    }

    @Override
    public int hashCode() {
      return entries.hashCode();
    }
  }

  /** Values in the order in which they were written. */
  record Sequence(List<ConfigNode> items, Origin origin) implements ConfigNode {
    public Sequence {
      items = List.copyOf(items);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Sequence sequence && items.equals(sequence.items);
    }

    @Override
    public int hashCode() {
      return items.hashCode();
    }
  }
}
