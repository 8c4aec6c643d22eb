package io.kindred.storage.config;

import io.kindred.core.config.Catalogue;
import java.util.ArrayList;
import java.util.List;

/** The keys of a configuration as rows for a reference page or a list on the terminal. */
public final class SchemaDoc {
  /** Sections below this depth are not listed; a record that contains itself would never end. */
  private static final int MAX_DEPTH = 8;

  private static final String NUMBER = "number";
  private static final String WHOLE = "whole " + NUMBER;
  private static final String SECTION = "section";
  private static final String LIST = "list of ";
  private static final String TABLE = "keys with ";

  /**
   * One key. The fallback is as written in an experiment file and empty where the key must be given
   * or is optional; bounds are words such as {@code of at least 1}, or empty. The last component is
   * the range that a tuning searches, empty where it leaves the key as it is.
   */
  public record Row(
      String path,
      String type,
      String fallback,
      String bounds,
      String doc,
      boolean required,
      String tune) {
    /** Whether the value is a whole number. */
    public boolean isWhole() {
      return type.endsWith(WHOLE);
    }

    /** Whether the value is a number, whole or not. */
    public boolean isNumber() {
      return type.endsWith(NUMBER) && !type.startsWith(LIST);
    }

    /** Whether the value is a list, a section or any other value that is not a scalar. */
    public boolean isComposite() {
      return type.startsWith(LIST) || type.startsWith(TABLE) || type.endsWith(SECTION);
    }
  }

  /** One choice of a catalogue with its settings. */
  public record Choice(String name, String summary, List<Row> settings) {
    public Choice {
      settings = List.copyOf(settings);
    }
  }

  private final Schema schema;

  public SchemaDoc(List<Catalogue<?>> catalogues) {
    this.schema = new Schema(catalogues);
  }

  /** Every key with its dotted path, each section before its keys. */
  public List<Row> rows(Class<? extends Record> root) {
    List<Row> rows = new ArrayList<>();
    walk(root, "", 0, rows);
    return List.copyOf(rows);
  }

  /** The choices in catalogue order; paths are relative to the key that holds the choice. */
  public List<Choice> choices(Catalogue<?> catalogue) {
    List<Choice> choices = new ArrayList<>();
    for (Class<?> type : catalogue.choices()) {
      List<Row> rows = new ArrayList<>();
      walk(type, "", 0, rows);
      choices.add(new Choice(Catalogue.nameOf(type), Catalogue.summaryOf(type), rows));
    }
    return List.copyOf(choices);
  }

  private void walk(Class<?> type, String section, int depth, List<Row> rows) {
    if (depth > MAX_DEPTH) {
      return;
    }
    for (Schema.Key key : schema.keys(type)) {
      String path = Locator.join(section, key.name());
      String fallback = key.setting().fallback();
      boolean required = fallback.isEmpty() && !(key.shape() instanceof Shape.Maybe);
      rows.add(
          new Row(
              path,
              typeOf(key.shape()),
              fallback,
              key.bounds().phrase(),
              key.setting().doc(),
              required,
              key.setting().tune()));
      descend(key.shape(), path, depth, rows);
    }
  }

  private void descend(Shape shape, String path, int depth, List<Row> rows) {
    switch (shape) {
      case Shape.Section inner -> walk(inner.type(), path, depth + 1, rows);
      case Shape.Maybe maybe -> descend(maybe.inner(), path, depth, rows);
      case Shape.Items items -> descend(items.item(), path + "[]", depth, rows);
      case Shape.Table table -> descend(table.value(), path + ".*", depth, rows);
      // A choice has its own page, by catalogue; here it would repeat once per choice.
      case Shape.Choice _ -> {}
      case Shape.Whole _,
          Shape.Real _,
          Shape.Flag _,
          Shape.Text _,
          Shape.EnumConstant _,
          Shape.Raw _ -> {}
    }
  }

  private static String typeOf(Shape shape) {
    return switch (shape) {
      case Shape.Whole _ -> WHOLE;
      case Shape.Real _ -> NUMBER;
      case Shape.Flag _ -> "true or false";
      case Shape.Text _ -> "text";
      case Shape.EnumConstant enumConstant -> "one of " + String.join(", ", enumConstant.names());
      case Shape.Section _ -> SECTION;
      case Shape.Items items -> LIST + typeOf(items.item());
      case Shape.Table table -> TABLE + typeOf(table.value());
      case Shape.Raw _ -> "any value";
      case Shape.Maybe maybe -> "optional " + typeOf(maybe.inner());
      case Shape.Choice choice -> choice.catalogue().noun();
    };
  }
}
