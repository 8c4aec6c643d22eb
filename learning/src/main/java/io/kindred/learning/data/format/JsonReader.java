package io.kindred.learning.data.format;

import io.kindred.learning.data.DamagedDataException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads JSON from left to right without building a tree, because a data file holds hundreds of
 * millions of numbers. An error names the byte where the input is not as expected.
 */
public final class JsonReader {
  private static final long MAX_EXACT = 1L << 53;
  private static final double[] POWERS_OF_TEN = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16
  };
  private static final int MAX_DEPTH = 100;

  private final String file;
  private final byte[] bytes;
  private int at;
  private final int end;

  public JsonReader(String file, byte[] bytes) {
    this(file, bytes, 0, bytes.length);
  }

  JsonReader(String file, byte[] bytes, int from, int to) {
    this.file = file;
    this.bytes = bytes;
    this.at = from;
    this.end = to;
  }

  /** Handles one entry of an object; the handler reads the value itself. */
  @FunctionalInterface
  public interface Entry {
    void read(String key);
  }

  public void object(Entry entry) {
    expect('{');
    if (accept('}')) {
      return;
    }
    do {
      String key = string();
      expect(':');
      entry.read(key);
    } while (accept(','));
    expect('}');
  }

  public void array(Runnable item) {
    expect('[');
    if (accept(']')) {
      return;
    }
    do {
      item.run();
    } while (accept(','));
    expect(']');
  }

  List<String> strings() {
    List<String> strings = new ArrayList<>();
    array(() -> strings.add(string()));
    return strings;
  }

  List<Double> numbers() {
    List<Double> numbers = new ArrayList<>();
    array(() -> numbers.add(number()));
    return numbers;
  }

  /** Requires that nothing follows. */
  public void finish() {
    skipBlanks();
    if (at < end) {
      throw damaged("something follows the end of the document");
    }
  }

  public String string() {
    expect('"');
    int from = at;
    boolean escaped = false;
    while (at < end && bytes[at] != '"') {
      escaped |= bytes[at] == '\\';
      at += bytes[at] == '\\' ? 2 : 1;
    }
    if (at >= end) {
      at = end;
      throw damaged("the file ends within a text");
    }
    String text = new String(bytes, from, at - from, StandardCharsets.UTF_8);
    at++;
    return escaped ? unescape(text) : text;
  }

  private String unescape(String text) {
    StringBuilder plain = new StringBuilder();
    int i = 0;
    while (i < text.length()) {
      if (text.charAt(i) != '\\') {
        plain.append(text.charAt(i));
        i++;
        continue;
      }
      int simple = "\"\\/bfnrt".indexOf(text.charAt(i + 1));
      if (simple >= 0) {
        plain.append("\"\\/\b\f\n\r\t".charAt(simple));
        i += 2;
      } else if (text.substring(i + 1).matches("(?s)u[0-9a-fA-F]{4}.*")) {
        plain.append((char) Integer.parseInt(text, i + 2, i + 6, 16));
        i += 6;
      } else {
        throw damaged("an unknown escape in a text");
      }
    }
    return plain.toString();
  }

  public double number() {
    skipBlanks();
    int from = at;
    long digits = 0;
    int decimals = -1;
    boolean simple = true;
    boolean negative = at < end && bytes[at] == '-';
    at += negative ? 1 : 0;
    int firstDigit = at;
    for (; at < end; at++) {
      byte c = bytes[at];
      if (c >= '0' && c <= '9') {
        digits = digits < MAX_EXACT / 10 ? digits * 10 + (c - '0') : digits;
        simple &= digits < MAX_EXACT / 10;
        decimals += decimals >= 0 ? 1 : 0;
      } else if (c == '.' && decimals < 0) {
        decimals = 0;
      } else if (c == 'e' || c == 'E' || c == '+' || c == '-') {
        simple = false;
      } else {
        break;
      }
    }
    if (simple && at > firstDigit && decimals < POWERS_OF_TEN.length && bytes[at - 1] != '.') {
      // Both parts are exact, so that one rounding gives the same value as Double.parseDouble.
      double value = decimals > 0 ? digits / POWERS_OF_TEN[decimals] : digits;
      return negative ? -value : value;
    }
    return parseSlowly(from);
  }

  private double parseSlowly(int from) {
    try {
      return Double.parseDouble(new String(bytes, from, at - from, StandardCharsets.ISO_8859_1));
    } catch (NumberFormatException notANumber) {
      at = from;
      throw damaged("a number is expected");
    }
  }

  /** Skips a value of any kind. */
  public void skip() {
    skip(0);
  }

  private void skip(int depth) {
    if (depth > MAX_DEPTH) {
      throw damaged("more than " + MAX_DEPTH + " brackets within each other");
    }
    skipBlanks();
    switch (at < end ? (char) bytes[at] : ' ') {
      case '{' ->
          object(
              key -> {
                skip(depth + 1);
              });
      case '[' -> array(() -> skip(depth + 1));
      case '"' -> string();
      case 't' -> word("true");
      case 'f' -> word("false");
      case 'n' -> word("null");
      default -> number();
    }
  }

  private void word(String word) {
    for (int i = 0; i < word.length(); i++) {
      expect(word.charAt(i));
    }
  }

  private void expect(char wanted) {
    if (!accept(wanted)) {
      throw damaged("'" + wanted + "' is expected");
    }
  }

  private boolean accept(char wanted) {
    skipBlanks();
    if (at < end && bytes[at] == wanted) {
      at++;
      return true;
    }
    return false;
  }

  private void skipBlanks() {
    while (at < end
        && (bytes[at] == ' ' || bytes[at] == '\n' || bytes[at] == '\r' || bytes[at] == '\t')) {
      at++;
    }
  }

  public DamagedDataException damaged(String problem) {
    return new DamagedDataException(
        file, "byte " + at, at < end ? problem : problem + ", but the file ends");
  }
}
