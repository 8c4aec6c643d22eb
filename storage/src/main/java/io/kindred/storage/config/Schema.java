package io.kindred.storage.config;

import io.kindred.core.config.Catalogue;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingGroup;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Derives the shape of a configuration from its records. A record without a valid shape is a bug.
 */
final class Schema {
  /**
   * One key of a section.
   *
   * @param components the groups of the section that lead to the key, then its own component
   */
  record Key(String name, Shape shape, Setting setting, List<RecordComponent> components) {
    private Key insideOf(RecordComponent group) {
      List<RecordComponent> longer = new ArrayList<>(List.of(group));
      longer.addAll(components);
      return new Key(name, shape, setting, List.copyOf(longer));
    }

    Bounds bounds() {
      return Bounds.of(setting);
    }

    String phrase() {
      return shape.phrase(bounds());
    }
  }

  private final List<Catalogue<?>> catalogues;

  Schema(List<Catalogue<?>> catalogues) {
    this.catalogues = List.copyOf(catalogues);
  }

  static boolean isGroup(RecordComponent component) {
    return component.isAnnotationPresent(SettingGroup.class);
  }

  /** The keys of a section, those of its groups included. */
  List<Key> keys(Class<?> section) {
    List<Key> keys = new ArrayList<>();
    for (RecordComponent component : section.getRecordComponents()) {
      if (isGroup(component)) {
        keys(component.getType()).forEach(key -> keys.add(key.insideOf(component)));
        continue;
      }
      Setting setting = component.getAnnotation(Setting.class);
      String where = section.getName() + "." + component.getName();
      if (setting == null) {
        throw new IllegalArgumentException(where + " lacks @Setting");
      }
      keys.add(
          new Key(
              component.getName(),
              shape(component.getGenericType(), where),
              setting,
              List.of(component)));
    }
    if (names(keys).stream().distinct().count() < keys.size()) {
      throw new IllegalArgumentException(
          section.getName() + " has one key in two groups: " + names(keys));
    }
    return keys;
  }

  static List<String> names(List<Key> keys) {
    return keys.stream().map(Key::name).toList();
  }

  /** The keys of a choice, which leave {@link ConfigNode#NAME} to the choice itself. */
  List<Key> choiceKeys(Class<?> choice) {
    List<Key> keys = keys(choice);
    if (names(keys).contains(ConfigNode.NAME)) {
      throw new IllegalArgumentException(
          choice.getName() + " has a component 'name', which is taken by the name of the choice");
    }
    return keys;
  }

  private Shape shape(Type type, String where) {
    if (type instanceof ParameterizedType generic) {
      return genericShape(generic, where);
    }
    if (type instanceof Class<?> plain) {
      return scalarShape(plain)
          .or(() -> structuredShape(plain))
          .orElseThrow(() -> unsupportedType(type, where));
    }
    throw unsupportedType(type, where);
  }

  private static Optional<Shape> scalarShape(Class<?> type) {
    if (type == int.class || type == Integer.class) {
      return Optional.of(new Shape.Whole(false));
    }
    if (type == long.class || type == Long.class) {
      return Optional.of(new Shape.Whole(true));
    }
    if (type == double.class || type == Double.class) {
      return Optional.of(new Shape.Real());
    }
    if (type == boolean.class || type == Boolean.class) {
      return Optional.of(new Shape.Flag());
    }
    return type == String.class ? Optional.of(new Shape.Text()) : Optional.empty();
  }

  private Optional<Shape> structuredShape(Class<?> type) {
    for (Catalogue<?> catalogue : catalogues) {
      if (catalogue.kind() == type) {
        return Optional.of(new Shape.Choice(catalogue));
      }
    }
    if (type == ConfigNode.class) {
      return Optional.of(new Shape.Raw());
    }
    if (type.isEnum()) {
      return Optional.of(new Shape.EnumConstant(type));
    }
    return type.isRecord() ? Optional.of(new Shape.Section(type)) : Optional.empty();
  }

  private Shape genericShape(ParameterizedType type, String where) {
    Type[] arguments = type.getActualTypeArguments();
    if (type.getRawType() == List.class) {
      return new Shape.Items(inner(arguments[0], where));
    }
    if (type.getRawType() == SortedMap.class && arguments[0] == String.class) {
      return new Shape.Table(inner(arguments[1], where));
    }
    if (type.getRawType() == Optional.class) {
      return new Shape.Maybe(inner(arguments[0], where));
    }
    throw unsupportedType(type, where);
  }

  private Shape inner(Type type, String where) {
    Shape shape = shape(type, where);
    if (shape instanceof Shape.Maybe) {
      throw unsupportedType(type, where);
    }
    return shape;
  }

  private static IllegalArgumentException unsupportedType(Type type, String where) {
    return new IllegalArgumentException(
        "%s has type %s, which is neither a setting's type nor the kind of a catalogue"
            .formatted(where, type.getTypeName()));
  }
}
