package io.kindred.storage.config;

import io.kindred.storage.config.ConfigNode.Entry;
import io.kindred.storage.config.ConfigNode.Mapping;
import io.kindred.storage.config.ConfigNode.Scalar;
import io.kindred.storage.config.ConfigNode.Sequence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Applies {@code --set} assignments and profiles to a tree. */
public final class Overrides {
  private record Assignment(List<String> path, Origin origin, ConfigNode value) {}

  private Overrides() {}

  /**
   * Applies assignments of the form {@code a.b=c}, where the value is YAML. Outer keys are applied
   * before inner ones, so that {@code partition=dirichlet} and {@code partition.alpha=0.1} mean the
   * same in either order.
   */
  public static Mapping apply(Mapping root, List<String> assignments) {
    List<Assignment> parsed =
        assignments.stream()
            .map(Overrides::parse)
            .sorted(Comparator.comparingInt(assignment -> assignment.path().size()))
            .toList();
    Mapping overlay = Mapping.empty(root.origin());
    for (Assignment assignment : parsed) {
      overlay = merge(overlay, nest(assignment, 0));
    }
    return merge(root, overlay);
  }

  /**
   * Merges an overlay into a tree. Sections merge key by key, everything else is replaced. Two
   * mappings that name different choices do not merge, since the settings of one mean nothing to
   * the other.
   */
  public static Mapping merge(Mapping base, Mapping overlay) {
    Mapping merged = base;
    for (Entry entry : overlay.entries()) {
      Optional<Entry> under = base.entry(entry.key());
      merged =
          merged.with(
              under.isEmpty()
                  ? entry
                  : new Entry(
                      entry.key(),
                      keyOrigin(under.get(), entry),
                      mergeValue(under.get().value(), entry.value())));
    }
    return merged;
  }

  private static Origin keyOrigin(Entry under, Entry over) {
    boolean bothSections = under.value() instanceof Mapping && over.value() instanceof Mapping;
    return bothSections ? under.origin() : over.origin();
  }

  /** Merges one value into another. */
  static ConfigNode mergeValue(ConfigNode base, ConfigNode overlay) {
    return switch (overlay) {
      case Sequence sequence -> sequence;
      case Scalar scalar -> namesSameChoice(base, scalar) ? base : scalar;
      case Mapping mapping ->
          namesOtherChoice(base, mapping) ? mapping : merge(asMapping(base, mapping), mapping);
    };
  }

  private static boolean namesSameChoice(ConfigNode base, Scalar overlay) {
    return base instanceof Mapping && !overlay.missing() && nameIs(base, overlay.text());
  }

  private static boolean namesOtherChoice(ConfigNode base, Mapping overlay) {
    return overlay
        .choiceName()
        .map(name -> base.choiceName().isPresent() && !nameIs(base, name))
        .orElse(false);
  }

  private static boolean nameIs(ConfigNode node, String name) {
    return node.choiceName().equals(Optional.of(name));
  }

  /** The base as a mapping: {@code partition: iid} stands for {@code partition: {name: iid}}. */
  private static Mapping asMapping(ConfigNode base, Mapping overlay) {
    return switch (base) {
      case Mapping mapping -> mapping;
      case Sequence list ->
          throw new ConfigException(
              overlay.origin(),
              "'%s' is set inside a list (%s); give the whole list instead"
                  .formatted(String.join(".", overlay.keys()), list.origin()));
      case Scalar scalar ->
          scalar.missing()
              ? Mapping.empty(overlay.origin())
              : new Mapping(
                  List.of(new Entry(ConfigNode.NAME, scalar.origin(), scalar)), overlay.origin());
    };
  }

  private static Mapping nest(Assignment assignment, int depth) {
    boolean last = depth == assignment.path().size() - 1;
    ConfigNode value = last ? assignment.value() : nest(assignment, depth + 1);
    Entry entry = new Entry(assignment.path().get(depth), assignment.origin(), value);
    return new Mapping(List.of(entry), assignment.origin());
  }

  private static Assignment parse(String text) {
    Origin origin = Origin.override(text);
    int equals = text.indexOf('=');
    if (equals < 0) {
      throw malformed(origin);
    }
    List<String> path = new ArrayList<>();
    for (String step : text.substring(0, equals).split("\\.", -1)) {
      if (step.isBlank() || !step.equals(step.strip())) {
        throw malformed(origin);
      }
      path.add(step);
    }
    String value = text.substring(equals + 1);
    if (value.isBlank()) {
      throw new ConfigException(origin, "has no value after '='; use null to unset a key");
    }
    return new Assignment(path, origin, ConfigFile.value(value, origin));
  }

  private static ConfigException malformed(Origin origin) {
    return new ConfigException(
        origin, "must have the form key=value, such as --set training.batch=32");
  }
}
