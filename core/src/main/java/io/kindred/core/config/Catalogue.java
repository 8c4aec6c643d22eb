package io.kindred.core.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The named choices for one kind of thing: partitions, topologies, methods. Each choice is a record
 * whose components are its settings, so that the thing and its parameters are one value.
 */
public final class Catalogue<T> {
  private final Class<T> kind;
  private final String noun;
  private final List<Class<? extends T>> choices;

  public Catalogue(Class<T> kind, String noun, List<Class<? extends T>> choices) {
    this.kind = kind;
    this.noun = noun;
    this.choices = List.copyOf(choices);
    List<String> names = new ArrayList<>();
    for (Class<? extends T> choice : choices) {
      if (!choice.isRecord()) {
        throw new IllegalArgumentException(choice + " must be a record to be a choice of " + noun);
      }
      String name = nameOf(choice);
      if (names.contains(name)) {
        throw new IllegalArgumentException("two choices of " + noun + " are named " + name);
      }
      names.add(name);
    }
  }

  public Class<T> kind() {
    return kind;
  }

  /** What a choice is called in messages, such as "partition". */
  public String noun() {
    return noun;
  }

  public List<Class<? extends T>> choices() {
    return choices;
  }

  public List<String> names() {
    return choices.stream().map(Catalogue::nameOf).toList();
  }

  public Optional<Class<? extends T>> find(String name) {
    for (Class<? extends T> choice : choices) {
      if (nameOf(choice).equals(name)) {
        return Optional.of(choice);
      }
    }
    return Optional.empty();
  }

  public static String nameOf(Class<?> type) {
    return annotation(type).value();
  }

  public static String summaryOf(Class<?> type) {
    return annotation(type).summary();
  }

  private static Named annotation(Class<?> type) {
    Named named = type.getAnnotation(Named.class);
    if (named == null) {
      throw new IllegalArgumentException(type + " lacks @Named");
    }
    return named;
  }
}
