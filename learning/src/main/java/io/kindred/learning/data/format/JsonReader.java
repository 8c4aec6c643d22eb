package io.kindred.learning.data.format;

import io.kindred.learning.data.DamagedDataException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads JSON from left to right without building a tree, because a data file holds hundreds of
 * millions of numbers. An error names the byte where the input is not as expected.
 *
 * <p>The parser always stands on the first token of the next value, or on the last token of the
 * value that was read.
 */
public final class JsonReader {
  private static final int MAX_DEPTH = 100;

  /** Reads UTF-8 only: bytes that look like UTF-16 are damage, and would have no byte offsets. */
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(TokenStreamFactory.Feature.CHARSET_DETECTION)
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
          .build();

  private final String file;
  private final int from;
  private final JsonParser parser;

  public JsonReader(String file, byte[] bytes) {
    this(file, bytes, 0, bytes.length);
  }

  JsonReader(String file, byte[] bytes, int from, int to) {
    this.file = file;
    this.from = from;
    this.parser = FACTORY.createParser(ObjectReadContext.empty(), bytes, from, to - from);
    next();
  }

  /** Handles one entry of an object; the handler reads the value itself. */
  @FunctionalInterface
  public interface Entry {
    void read(String key);
  }

  public void object(Entry entry) {
    require(JsonToken.START_OBJECT, "an object");
    while (next() == JsonToken.PROPERTY_NAME) {
      String key = parser.currentName();
      next();
      entry.read(key);
    }
  }

  public void array(Runnable item) {
    require(JsonToken.START_ARRAY, "an array");
    while (next() != JsonToken.END_ARRAY) {
      item.run();
    }
  }

  List<Double> numbers() {
    List<Double> numbers = new ArrayList<>();
    array(() -> numbers.add(number()));
    return numbers;
  }

  /** Requires that nothing follows. */
  public void finish() {
    if (next() != null) {
      throw damaged("more text follows the end of the document");
    }
  }

  public String string() {
    require(JsonToken.VALUE_STRING, "a string");
    return checked(parser::getString);
  }

  public double number() {
    if (!parser.hasToken(JsonToken.VALUE_NUMBER_FLOAT)) {
      require(JsonToken.VALUE_NUMBER_INT, "a number");
    }
    return checked(parser::getDoubleValue);
  }

  /** Skips a value of any kind. */
  public void skip() {
    checked(parser::skipChildren);
  }

  private @Nullable JsonToken next() {
    return checked(parser::nextToken);
  }

  private void require(JsonToken token, String kind) {
    if (parser.currentToken() == null) {
      throw damaged(parser.currentLocation(), kind + " is expected, but the file ends");
    }
    if (!parser.hasToken(token)) {
      throw damaged(kind + " is expected");
    }
  }

  private <T extends @Nullable Object> T checked(Supplier<T> read) {
    try {
      return read.get();
    } catch (UnexpectedEndOfInputException torn) {
      throw damaged(parser.currentLocation(), "the file ends within a value");
    } catch (JacksonException wrong) {
      throw damaged(parser.currentLocation(), wrong.getOriginalMessage());
    }
  }

  /** Names the token that was read last. */
  public DamagedDataException damaged(String problem) {
    return damaged(parser.currentTokenLocation(), problem);
  }

  private DamagedDataException damaged(TokenStreamLocation at, String problem) {
    return new DamagedDataException(file, "byte " + (from + at.getByteOffset()), problem);
  }
}
