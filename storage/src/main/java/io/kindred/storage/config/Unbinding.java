package io.kindred.storage.config;

import io.kindred.core.config.Catalogue;
import io.kindred.storage.config.ConfigNode.Entry;
import io.kindred.storage.config.ConfigNode.Form;
import io.kindred.storage.config.ConfigNode.Mapping;
import io.kindred.storage.config.ConfigNode.Scalar;
import io.kindred.storage.config.ConfigNode.Sequence;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Turns a bound record back into the tree that binds to it. */
final class Unbinding {
  private static final Origin RESOLVED = Origin.named("resolved configuration");

  private final Schema schema;

  Unbinding(Schema schema) {
    this.schema = schema;
  }

  Mapping section(Record bound) {
    List<Entry> entries = new ArrayList<>();
    addComponents(bound, schema.keys(bound.getClass()), entries);
    return new Mapping(entries, RESOLVED);
  }

  private Mapping choice(Record bound) {
    List<Entry> entries = new ArrayList<>();
    Class<?> type = bound.getClass();
    entries.add(entry(ConfigNode.NAME, scalar(Catalogue.nameOf(type), Form.TEXT)));
    addComponents(bound, schema.choiceKeys(type), entries);
    return new Mapping(entries, RESOLVED);
  }

  private void addComponents(Record bound, List<Schema.Key> keys, List<Entry> entries) {
    for (Schema.Key key : keys) {
      node(key, component(bound, key)).ifPresent(node -> entries.add(entry(key.name(), node)));
    }
  }

  private Optional<ConfigNode> node(Schema.Key key, Object value) {
    if (!(key.shape() instanceof Shape.Maybe maybe)) {
      return Optional.of(required(key.shape(), value));
    }
    Optional<?> option = (Optional<?>) value;
    if (option.isEmpty() && !key.setting().fallback().isEmpty()) {
      // Leaving the key out would bring the fallback back.
      return Optional.of(scalar("", Form.MISSING));
    }
    return option.map(inner -> required(maybe.inner(), inner));
  }

  private ConfigNode required(Shape shape, Object value) {
    return switch (shape) {
      case Shape.Section _ -> section((Record) value);
      case Shape.Choice _ -> choice((Record) value);
      case Shape.Items items -> sequence(items.item(), (List<?>) value);
      case Shape.Table table -> table(table.value(), (Map<?, ?>) value);
      case Shape.Raw _ -> (ConfigNode) value;
      case Shape.Text _ -> scalar((String) value, Form.TEXT);
      case Shape.EnumConstant _ -> scalar(Shape.EnumConstant.nameOf((Enum<?>) value), Form.TEXT);
      case Shape.Whole _ -> scalar(value.toString(), Form.PLAIN);
      case Shape.Real _ -> scalar(value.toString(), Form.PLAIN);
      case Shape.Flag _ -> scalar(value.toString(), Form.PLAIN);
      case Shape.Maybe _ -> throw new IllegalStateException("an option inside an option");
    };
  }

  private Sequence sequence(Shape item, List<?> values) {
    List<ConfigNode> items = new ArrayList<>();
    for (Object value : values) {
      items.add(required(item, value));
    }
    return new Sequence(items, RESOLVED);
  }

  private Mapping table(Shape value, Map<?, ?> table) {
    List<Entry> entries = new ArrayList<>();
    table.forEach((key, inner) -> entries.add(entry((String) key, required(value, inner))));
    return new Mapping(entries, RESOLVED);
  }

  private static Entry entry(String key, ConfigNode value) {
    return new Entry(key, RESOLVED, value);
  }

  private static Scalar scalar(String text, Form form) {
    return new Scalar(text, form, RESOLVED);
  }

  private static Object component(Record bound, Schema.Key key) {
    Object value = bound;
    for (RecordComponent component : key.components()) {
      try {
        Method accessor = component.getAccessor();
        accessor.setAccessible(true);
        value = accessor.invoke(value);
      } catch (ReflectiveOperationException broken) {
        throw new IllegalStateException(component + " cannot be read", broken);
      }
    }
    return value;
  }
}
