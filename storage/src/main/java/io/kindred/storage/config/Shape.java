package io.kindred.storage.config;

import io.kindred.core.config.Catalogue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the value of a key looks like. */
sealed interface Shape {
  record Whole(boolean wide) implements Shape {}

  record Real() implements Shape {}

  record Flag() implements Shape {}

  record Text() implements Shape {}

  /** One of an enum's constants, written in lower case with hyphens. */
  record EnumConstant(Class<?> type) implements Shape {
    List<String> names() {
      List<String> names = new ArrayList<>();
      for (Object constant : type.getEnumConstants()) {
        names.add(nameOf((Enum<?>) constant));
      }
      return names;
    }

    static String nameOf(Enum<?> constant) {
      return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  record Section(Class<?> type) implements Shape {}

  record Items(Shape item) implements Shape {}

  /** A mapping with keys of the operator's own choice. */
  record Table(Shape value) implements Shape {}

  /** Any value, for a part that other code reads. */
  record Raw() implements Shape {}

  record Maybe(Shape inner) implements Shape {}

  /** A name from a catalogue, with that choice's settings. */
  record Choice(Catalogue<?> catalogue) implements Shape {}

  /** What a value must be, as in {@code must be a whole number of at least 1}. */
  default String phrase(Bounds bounds) {
    return switch (this) {
      case Whole _ -> bounded("a whole number", bounds);
      case Real _ -> bounded("a number", bounds);
      case Flag _ -> "true or false";
      case Text _ -> "text";
      case EnumConstant enumConstant -> "one of " + String.join(", ", enumConstant.names());
      case Section _ -> "a section of keys";
      case Items items -> "a list, each item " + items.item().phrase(bounds);
      case Table table -> "keys, each with " + table.value().phrase(bounds);
      case Raw _ -> "any value";
      case Maybe maybe -> maybe.inner().phrase(bounds);
      case Choice choice ->
          "a %s: one of %s"
              .formatted(choice.catalogue().noun(), String.join(", ", choice.catalogue().names()));
    };
  }

  private static String bounded(String noun, Bounds bounds) {
    return (noun + " " + bounds.phrase()).strip();
  }
}
