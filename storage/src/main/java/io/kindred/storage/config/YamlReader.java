package io.kindred.storage.config;

import io.kindred.storage.config.ConfigNode.Entry;
import io.kindred.storage.config.ConfigNode.Form;
import io.kindred.storage.config.ConfigNode.Mapping;
import io.kindred.storage.config.ConfigNode.Scalar;
import io.kindred.storage.config.ConfigNode.Sequence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/**
 * Turns the stream of YAML tokens into a tree. Aliases and tags are refused: an experiment file
 * should read the same to every reader, and an alias would give one value two locations.
 */
final class YamlReader {
  private static final YAMLFactory FACTORY = new YAMLFactory();
  private static final int FIRST_LINE = 1;

  private final IntFunction<Origin> origins;

  /** A file: every node has its own line. */
  YamlReader(String source) {
    this.origins = line -> Origin.file(source, line);
  }

  /** A value from elsewhere: every node has the same origin. */
  YamlReader(Origin origin) {
    this.origins = line -> origin;
  }

  ConfigNode document(String text) {
    String unmarked = text.startsWith("\uFEFF") ? text.substring(1) : text;
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), unmarked)) {
      JsonToken first = parser.nextToken();
      if (first == null || (first == JsonToken.VALUE_NULL && parser.getString().isEmpty())) {
        throw new ConfigException(origins.apply(FIRST_LINE), "is empty");
      }
      ConfigNode root = node(parser, first, here(parser));
      if (parser.nextToken() != null) {
        throw new ConfigException(
            here(parser), "a second document starts here; keep one document per file");
      }
      return root;
    } catch (JacksonException broken) {
      throw explain(broken);
    }
  }

  private ConfigNode node(JsonParser parser, JsonToken token, Origin origin) {
    refuseReferences(parser);
    return switch (token) {
      case START_OBJECT -> mapping(parser, origin);
      case START_ARRAY -> sequence(parser, origin);
      case VALUE_NULL -> new Scalar("", Form.MISSING, origin);
      case VALUE_STRING -> new Scalar(parser.getString(), Form.TEXT, origin);
      default -> new Scalar(parser.getString(), Form.PLAIN, origin);
    };
  }

  private Mapping mapping(JsonParser parser, Origin origin) {
    Map<String, Entry> entries = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String key = parser.currentName();
      Origin keyOrigin = here(parser);
      refuseReferences(parser);
      // The origin of a section is its key, not its first inner key.
      ConfigNode value = node(parser, parser.nextToken(), keyOrigin);
      Entry earlier = entries.putIfAbsent(key, new Entry(key, keyOrigin, value));
      if (earlier != null) {
        throw new ConfigException(
            keyOrigin,
            "key '%s' is given twice, first at %s; keep one"
                .formatted(key, describe(earlier.origin())));
      }
    }
    return new Mapping(List.copyOf(entries.values()), origin);
  }

  private Sequence sequence(JsonParser parser, Origin origin) {
    List<ConfigNode> items = new ArrayList<>();
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      items.add(node(parser, token, here(parser)));
    }
    return new Sequence(items, origin);
  }

  private void refuseReferences(JsonParser parser) {
    if (parser instanceof YAMLParser yaml && yaml.isCurrentAlias()) {
      throw new ConfigException(here(parser), "aliases ('*') are not supported; repeat the value");
    }
    if (parser.getTypeId() != null) {
      throw new ConfigException(here(parser), "tags ('!') are not supported; remove the tag");
    }
  }

  private Origin here(JsonParser parser) {
    return origins.apply(Math.max(FIRST_LINE, parser.currentTokenLocation().getLineNr()));
  }

  private static String describe(Origin origin) {
    return origin.line() == 0 ? origin.source() : "line " + origin.line();
  }

  private ConfigException explain(JacksonException broken) {
    if (broken.getCause() instanceof MarkedYamlEngineException marked) {
      // The context is where a bracket or quote was opened, which is where the mistake is.
      Optional<Mark> mark = marked.getContextMark().or(marked::getProblemMark);
      int line = mark.map(Mark::getLine).orElse(0) + FIRST_LINE;
      String context = marked.getContext() == null ? "" : marked.getContext() + ", ";
      return new ConfigException(
          origins.apply(line), "is not valid YAML: " + context + marked.getProblem());
    }
    int line = broken.getLocation() == null ? 0 : broken.getLocation().getLineNr();
    return new ConfigException(
        origins.apply(Math.max(FIRST_LINE, line)),
        "is not valid YAML: " + broken.getOriginalMessage());
  }
}
