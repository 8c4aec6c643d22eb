package io.kindred.storage.config;

import io.kindred.core.config.Catalogue;
import io.kindred.core.config.SettingException;
import io.kindred.storage.config.ConfigNode.Entry;
import io.kindred.storage.config.ConfigNode.Mapping;
import io.kindred.storage.config.ConfigNode.Scalar;
import io.kindred.storage.config.ConfigNode.Sequence;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Binds one tree to a record. It keeps the whole tree, for suggestions and error messages. */
final class Binding {
  private final Schema schema;
  private final Class<?> rootType;
  private final Mapping rootNode;

  Binding(Schema schema, Class<?> rootType, Mapping rootNode) {
    this.schema = schema;
    this.rootType = rootType;
    this.rootNode = rootNode;
  }

  Object root() {
    return section(rootType, schema.keys(rootType), rootNode, "", Optional.empty());
  }

  private Object section(
      Class<?> type, List<Schema.Key> keys, Mapping node, String path, Optional<String> choice) {
    refuseUnknown(keys, node, path, choice);
    List<Object> values = new ArrayList<>();
    keys.forEach(key -> values.add(component(key, node, path)));
    return construct(type, values.iterator(), node, path);
  }

  private void refuseUnknown(
      List<Schema.Key> keys, Mapping node, String path, Optional<String> choice) {
    List<String> known = Schema.names(keys);
    for (Entry entry : node.entries()) {
      if (!known.contains(entry.key())) {
        throw new ConfigException(
            entry.origin(),
            new UnknownKey(schema, rootType).explain(path, entry.key(), choice, known));
      }
    }
  }

  private Object component(Schema.Key key, Mapping node, String path) {
    String keyPath = Locator.join(path, key.name());
    Optional<ConfigNode> written = node.find(key.name());
    String fallback = key.setting().fallback();
    if (written.isPresent()) {
      return value(key.shape(), named(key, written.get(), fallback), keyPath, key.bounds());
    }
    if (!fallback.isEmpty()) {
      // Located at the section that left it out, so that a key missing inside it has an origin too.
      return value(key.shape(), ConfigFile.value(fallback, node.origin()), keyPath, key.bounds());
    }
    if (key.shape() instanceof Shape.Maybe) {
      return Optional.empty();
    }
    throw new ConfigException(
        node.origin(),
        "'%s' is missing: %s (%s)".formatted(keyPath, key.setting().doc(), key.phrase()));
  }

  /** A choice that is written without its name changes settings of the default. */
  private static ConfigNode named(Schema.Key key, ConfigNode written, String fallback) {
    boolean nameless =
        key.shape() instanceof Shape.Choice
            && written instanceof Mapping
            && written.choiceName().isEmpty();
    return nameless && !fallback.isEmpty()
        ? Overrides.mergeValue(ConfigFile.value(fallback, written.origin()), written)
        : written;
  }

  private Object value(Shape shape, ConfigNode node, String path, Bounds bounds) {
    if (node instanceof Scalar scalar && scalar.missing()) {
      return missingValue(shape, scalar, path, bounds);
    }
    return switch (shape) {
      case Shape.Section inner ->
          section(
              inner.type(),
              schema.keys(inner.type()),
              expect(Mapping.class, shape, node, path, bounds),
              path,
              Optional.empty());
      case Shape.Items items ->
          items(items, expect(Sequence.class, shape, node, path, bounds), path, bounds);
      case Shape.Table table ->
          table(table, expect(Mapping.class, shape, node, path, bounds), path, bounds);
      case Shape.Raw _ -> node;
      case Shape.Maybe maybe -> Optional.of(value(maybe.inner(), node, path, bounds));
      case Shape.Choice choice -> choice(choice, node, path, bounds);
      case Shape.Whole _, Shape.Real _, Shape.Flag _, Shape.Text _, Shape.EnumConstant _ ->
          ScalarReader.read(shape, node, path, bounds);
    };
  }

  /** A key without a value: an unset option, a section left to its defaults, or a mistake. */
  private Object missingValue(Shape shape, Scalar scalar, String path, Bounds bounds) {
    return switch (shape) {
      case Shape.Maybe _ -> Optional.empty();
      case Shape.Raw _ -> scalar;
      case Shape.Section _ -> value(shape, Mapping.empty(scalar.origin()), path, bounds);
      default ->
          throw new ConfigException(
              scalar.origin(),
              "'%s' has no value; it must be %s".formatted(path, shape.phrase(bounds)));
    };
  }

  private List<Object> items(Shape.Items shape, Sequence node, String path, Bounds bounds) {
    List<Object> items = new ArrayList<>();
    for (ConfigNode item : node.items()) {
      items.add(value(shape.item(), item, path + "[" + items.size() + "]", bounds));
    }
    return List.copyOf(items);
  }

  private SortedMap<String, Object> table(
      Shape.Table shape, Mapping node, String path, Bounds bounds) {
    SortedMap<String, Object> table = new TreeMap<>();
    for (Entry entry : node.entries()) {
      String keyPath = Locator.join(path, entry.key());
      table.put(entry.key(), value(shape.value(), entry.value(), keyPath, bounds));
    }
    return Collections.unmodifiableSortedMap(table);
  }

  private Object choice(Shape.Choice shape, ConfigNode node, String path, Bounds bounds) {
    Catalogue<?> catalogue = shape.catalogue();
    if (node instanceof Sequence) {
      throw ScalarReader.mismatch(shape, node, path, bounds);
    }
    String name =
        node.choiceName()
            .orElseThrow(
                () ->
                    new ConfigException(
                        node.origin(),
                        "'%s' needs a 'name': one of %s"
                            .formatted(path, String.join(", ", catalogue.names()))));
    Class<?> type =
        catalogue.find(name).orElseThrow(() -> unknownChoice(catalogue, node, path, name));
    Mapping settings =
        node instanceof Mapping mapping
            ? mapping.without(ConfigNode.NAME)
            : Mapping.empty(node.origin());
    return section(type, schema.choiceKeys(type), settings, path, Optional.of(name));
  }

  private static ConfigException unknownChoice(
      Catalogue<?> catalogue, ConfigNode node, String path, String name) {
    Origin origin =
        node instanceof Mapping mapping
            ? mapping.entry(ConfigNode.NAME).map(Entry::origin).orElse(node.origin())
            : node.origin();
    String hint =
        NearestName.among(catalogue.names(), name)
            .map(near -> "; did you mean '" + near + "'?")
            .orElse("");
    return new ConfigException(
        origin,
        "'%s' names the unknown %s '%s'%s (known: %s)"
            .formatted(path, catalogue.noun(), name, hint, String.join(", ", catalogue.names())));
  }

  private static <N extends ConfigNode> N expect(
      Class<N> wanted, Shape shape, ConfigNode node, String path, Bounds bounds) {
    if (!wanted.isInstance(node)) {
      throw ScalarReader.mismatch(shape, node, path, bounds);
    }
    return wanted.cast(node);
  }

  /** Constructs a record and its groups; the values are in the order of {@link Schema#keys}. */
  private Object construct(Class<?> type, Iterator<Object> values, Mapping node, String path) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    Object[] arguments = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      arguments[i] =
          Schema.isGroup(components[i]) ? construct(types[i], values, node, path) : values.next();
    }
    try {
      Constructor<?> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(arguments);
    } catch (InvocationTargetException refused) {
      throw refusal(refused, schema.keys(type), node, path);
    } catch (ReflectiveOperationException broken) {
      throw new IllegalStateException(type.getName() + " cannot be constructed", broken);
    }
  }

  /** The record's own checks name its components; this adds their location in the file. */
  private RuntimeException refusal(
      InvocationTargetException refused, List<Schema.Key> keys, Mapping node, String path) {
    return switch (refused.getCause()) {
      case SettingException invalid -> ConfigException.at(rootNode, absolute(invalid, keys, path));
      case IllegalArgumentException impossible ->
          new ConfigException(
              node.origin(), (path.isEmpty() ? "" : "'" + path + "': ") + impossible.getMessage());
      case null, default ->
          new IllegalStateException("a configuration record failed at '" + path + "'", refused);
    };
  }

  /**
   * A record does not know the key it is bound to, so a path that starts with one of its own
   * components is relative to the record, and any other is relative to the top of the file.
   */
  private static SettingException absolute(
      SettingException invalid, List<Schema.Key> keys, String path) {
    String first = invalid.path().split("[.\\[]", 2)[0];
    boolean own = invalid.path().isEmpty() || Schema.names(keys).contains(first);
    if (!own || path.isEmpty()) {
      return invalid;
    }
    String whole = invalid.path().isEmpty() ? path : Locator.join(path, invalid.path());
    return new SettingException(whole, invalid.problem(), invalid.remedy());
  }
}
