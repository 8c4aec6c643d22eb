package io.kindred.storage.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes records as JSON and reads JSON as trees. Fields come in the order of the record's
 * components, maps in the order of their keys, and absent values (null, an empty option) are left
 * out.
 */
public final class Json {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .changeDefaultPropertyInclusion(
              old ->
                  old.withValueInclusion(JsonInclude.Include.NON_ABSENT)
                      .withContentInclusion(JsonInclude.Include.NON_ABSENT))
          .build();

  private Json() {}

  /** One line without a line break, for a file of JSON lines. */
  public static String line(Object value) {
    return MAPPER.writeValueAsString(value);
  }

  /** Indented, for a document that people open. */
  public static String document(Object value) {
    return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value) + "\n";
  }

  /** Throws {@link JacksonException} where the text is not JSON. */
  public static JsonNode tree(String text) {
    return MAPPER.readTree(text);
  }
}
