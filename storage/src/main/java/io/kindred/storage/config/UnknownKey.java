package io.kindred.storage.config;

import io.kindred.core.config.Catalogue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Explains what an unknown key probably meant, also when it only stands at the wrong level. */
final class UnknownKey {
  /** Sections below this depth are not searched; no configuration comes near it. */
  private static final int MAX_DEPTH = 8;

  /** A key that exists: its section, its name, and the choice it is a setting of, if any. */
  private record Place(String section, String key, Optional<String> choice) {}

  private final Schema schema;
  private final Class<?> root;

  UnknownKey(Schema schema, Class<?> root) {
    this.schema = schema;
    this.root = root;
  }

  /** The part after {@code FILE:LINE:}; {@code known} are the keys of the section it stands in. */
  String explain(String section, String key, Optional<String> choice, List<String> known) {
    String what = "key '%s' is unknown".formatted(Locator.join(section, key));
    String whose = choice.map(name -> " for '" + name + "'").orElse("");
    String list =
        known.isEmpty()
            ? " (there are no keys here)"
            : " (known: " + String.join(", ", known) + ")";
    return what + whose + suggestion(section, key, known) + list;
  }

  private String suggestion(String section, String key, List<String> known) {
    Optional<String> near = NearestName.among(known, key);
    Optional<String> elsewhere =
        near.filter(name -> NearestName.sameWords(name, key)).isPresent()
            ? Optional.empty()
            : elsewhere(section.replaceAll("\\[\\d+]", "[]"), key);
    return elsewhere.orElseGet(
        () ->
            near.map(name -> "; did you mean '%s'?".formatted(Locator.join(section, name)))
                .orElse(""));
  }

  private Optional<String> elsewhere(String section, String key) {
    List<Place> places = new ArrayList<>();
    walk(root, "", Optional.empty(), 0, places);
    List<Place> same =
        places.stream().filter(place -> NearestName.sameWords(place.key(), key)).toList();
    // Another choice of this very section is the likeliest; then a place below this section; then
    // the least nested one, the first in schema order among equals.
    return same.stream()
        .filter(place -> place.section().equals(section))
        .findFirst()
        .or(
            () ->
                same.stream()
                    .min(
                        Comparator.comparing(
                                (Place place) -> !place.section().startsWith(section + "."))
                            .thenComparingInt(UnknownKey::nesting)))
        .map(place -> describe(place, section, key));
  }

  private static int nesting(Place place) {
    return (int) place.section().chars().filter(each -> each == '.').count();
  }

  private static String describe(Place place, String section, String key) {
    String choice = place.choice().map(name -> " of '" + name + "'").orElse("");
    if (place.section().equals(section)) {
      return "; it is a setting" + choice;
    }
    if (!place.key().equals(key)) {
      return "; did you mean '%s'%s?".formatted(Locator.join(place.section(), place.key()), choice);
    }
    return place.section().isEmpty()
        ? "; it belongs at the top level"
        : "; it belongs under '%s'%s".formatted(place.section(), choice);
  }

  private void walk(
      Class<?> type, String section, Optional<String> choice, int depth, List<Place> places) {
    if (depth > MAX_DEPTH) {
      return;
    }
    for (Schema.Key key : schema.keys(type)) {
      places.add(new Place(section, key.name(), choice));
      descend(key.shape(), Locator.join(section, key.name()), depth, places);
    }
  }

  private void descend(Shape shape, String path, int depth, List<Place> places) {
    switch (shape) {
      case Shape.Section inner -> walk(inner.type(), path, Optional.empty(), depth + 1, places);
      case Shape.Maybe maybe -> descend(maybe.inner(), path, depth, places);
      case Shape.Items items -> descend(items.item(), path + "[]", depth, places);
      case Shape.Table table -> descend(table.value(), path + ".*", depth, places);
      case Shape.Choice choice -> {
        for (Class<?> type : choice.catalogue().choices()) {
          walk(type, path, Optional.of(Catalogue.nameOf(type)), depth + 1, places);
        }
      }
      case Shape.Whole _,
          Shape.Real _,
          Shape.Flag _,
          Shape.Text _,
          Shape.EnumConstant _,
          Shape.Raw _ -> {}
    }
  }
}
