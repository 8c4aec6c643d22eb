package io.kindred.learning.data.format;

import io.kindred.learning.data.DamagedDataException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The lines of a text file; an error names the line's number. */
public final class TextLines {
  private final String file;
  private final List<String> lines;

  private TextLines(String file, List<String> lines) {
    this.file = file;
    this.lines = lines;
  }

  /** All lines except the blank ones at the end of the file. */
  public static TextLines of(String file, byte[] bytes) {
    List<String> lines =
        new ArrayList<>(new String(bytes, StandardCharsets.UTF_8).lines().toList());
    while (!lines.isEmpty() && lines.getLast().isBlank()) {
      lines.removeLast();
    }
    if (lines.isEmpty()) {
      throw new DamagedDataException(file, "line 1", "the file is empty");
    }
    return new TextLines(file, lines);
  }

  public int count() {
    return lines.size();
  }

  public String line(int index) {
    return lines.get(index);
  }

  /** The parts of a line, whose number must be as expected. */
  public String[] words(int index, char separator, int expected) {
    String[] words = split(lines.get(index).strip(), separator);
    if (words.length != expected) {
      throw damaged(index, words.length + " values, but " + expected + " are expected");
    }
    return words;
  }

  /**
   * Splits without regular expressions, because a data set has millions of values. A run of blanks
   * is one separator.
   */
  private static String[] split(String line, char separator) {
    List<String> words = new ArrayList<>();
    int from = 0;
    for (int at = 0; at <= line.length(); at++) {
      if (at == line.length() || line.charAt(at) == separator) {
        if (separator != ' ' || at > from) {
          words.add(line.substring(from, at));
        }
        from = at + 1;
      }
    }
    return words.toArray(String[]::new);
  }

  public int wholeNumber(int index, String word, int least, int most, String what) {
    try {
      int value = Integer.parseInt(word.strip());
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException notANumber) {
      // Reported below, together with numbers out of bounds.
    }
    throw damaged(
        index, what + " from " + least + " to " + most + " is expected, not '" + word + "'");
  }

  public float realNumber(int index, String word) {
    try {
      float value = Float.parseFloat(word.strip());
      if (Float.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException notANumber) {
      // Reported below, together with values that are not finite.
    }
    throw damaged(index, "a number is expected, not '" + word + "'");
  }

  public DamagedDataException damaged(int index, String problem) {
    return new DamagedDataException(file, "line " + (index + 1), problem);
  }
}
