package io.kindred.storage.config;

import io.kindred.core.config.Catalogue;
import io.kindred.storage.config.ConfigNode.Mapping;
import java.util.List;

/**
 * Binds a tree to an annotated record and back. Values that a tree leaves out come from the
 * records' fallbacks, which are written as YAML and read by the same code.
 */
public final class Binder {
  private final Schema schema;

  /** The catalogues define which interfaces stand for a named choice. */
  public Binder(List<Catalogue<?>> catalogues) {
    this.schema = new Schema(catalogues);
  }

  /** Reads the tree as {@code type}, or throws a {@link ConfigException} for its first mistake. */
  public <T extends Record> T bind(Class<T> type, Mapping root) {
    return type.cast(new Binding(schema, type, root).root());
  }

  /**
   * The record as a complete tree, defaults included, in the order of its components. Binding the
   * tree again gives an equal record.
   */
  public Mapping unbind(Record bound) {
    return new Unbinding(schema).section(bound);
  }

  /** The record as the text of an experiment file in which nothing is left to defaults. */
  public String toYaml(Record bound) {
    return YamlWriter.of(unbind(bound));
  }
}
