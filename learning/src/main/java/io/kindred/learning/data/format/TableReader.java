package io.kindred.learning.data.format;

import io.kindred.core.config.SettingException;
import io.kindred.learning.data.DamagedDataException;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.RawTable;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Reads a file of separated values or a Parquet file. */
public final class TableReader {
  /** Endings of the names of tables. */
  public static final List<String> ENDINGS = List.of("csv", "tsv", "data", "txt", "parquet");

  /** In the order in which they are tried. */
  private static final List<Character> SEPARATORS = List.of(';', ',', '\t', '|');

  private static final char BLANK = ' ';
  private static final int LINES_TRIED = 50;
  private static final Charset WINDOWS = Charset.forName("windows-1252");

  private TableReader() {}

  /** A table and the separator that it was read with. */
  public record Read(RawTable table, String separator) {}

  /** Reads a file of a data set. */
  public static Read read(DataFiles files, String folder, String name, TableFormat format) {
    String file = folder.isEmpty() ? name : folder + "/" + name;
    byte[] bytes = files.read(folder, name);
    if (name.toLowerCase(Locale.ROOT).endsWith(".parquet")) {
      return new Read(files.parquet(file, bytes), "none: Parquet");
    }
    return text(file, bytes, format);
  }

  /** Reads separated values. */
  public static Read text(String file, byte[] bytes, TableFormat format) {
    String text = decoded(file, bytes, format.encoding());
    char separator = separator(file, text, format);
    List<CsvParser.Row> lines =
        separator == BLANK
            ? CsvParser.blankSeparated(file, text)
            : CsvParser.rows(file, text, separator);
    List<String> first = lines.getFirst().values();
    List<String> columns = columns(file, first, format);
    List<RawTable.Row> rows = new ArrayList<>();
    for (CsvParser.Row line : format.header() ? lines.subList(1, lines.size()) : lines) {
      rows.add(new RawTable.Row("line " + line.line(), line.values()));
    }
    return new Read(new RawTable(file, columns, rows), name(separator));
  }

  private static String name(char separator) {
    return switch (separator) {
      case BLANK -> "blank";
      case '\t' -> "tab";
      default -> Character.toString(separator);
    };
  }

  private static String decoded(String file, byte[] bytes, TableFormat.Encoding encoding) {
    boolean bigEndian = startsWith(bytes, 0xfe, 0xff);
    Charset charset =
        bigEndian || startsWith(bytes, 0xff, 0xfe)
            ? StandardCharsets.UTF_16
            : encoding == TableFormat.Encoding.LATIN1 ? WINDOWS : StandardCharsets.UTF_8;
    try {
      String text = charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      if (text.indexOf('\0') >= 0) {
        throw new DamagedDataException(
            file, "byte " + text.indexOf('\0'), "a table of text holds no zero bytes");
      }
      // Some programs write a byte order mark first.
      return text.startsWith("\uFEFF") ? text.substring(1) : text;
    } catch (CharacterCodingException notText) {
      throw new DamagedDataException(
          file,
          "line " + lineOfWrongByte(bytes, charset),
          "a character is not "
              + charset
              + "; save the file as UTF-8, or choose dataset.encoding: latin1");
    }
  }

  private static boolean startsWith(byte[] bytes, int first, int second) {
    return bytes.length >= 2 && (bytes[0] & 0xff) == first && (bytes[1] & 0xff) == second;
  }

  private static long lineOfWrongByte(byte[] bytes, Charset charset) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(bytes.length + 1);
    charset.newDecoder().decode(in, out, true);
    return 1 + IntStream.range(0, in.position()).filter(i -> bytes[i] == '\n').count();
  }

  private static char separator(String file, String text, TableFormat format) {
    return switch (format.separator()) {
      case "tab" -> '\t';
      case "blank" -> BLANK;
      case "auto" -> found(file, text);
      default -> format.separator().charAt(0);
    };
  }

  /**
   * The separator that gives every line the same number of values. The semicolon wins over the
   * comma, which may stand in for decimal points.
   */
  private static char found(String file, String text) {
    List<String> lines = firstLines(text);
    if (lines.isEmpty()) {
      throw new DamagedDataException(file, "line 1", "the file is empty");
    }
    return SEPARATORS.stream()
        .filter(each -> splitsAlike(lines, each))
        .findFirst()
        .orElseGet(() -> splitsByBlanks(lines) ? BLANK : ',');
  }

  /** The first lines that are not blank; an end of line in quotation marks belongs to a line. */
  private static List<String> firstLines(String text) {
    List<String> lines = new ArrayList<>();
    boolean quoted = false;
    int from = 0;
    for (int at = 0; at <= text.length() && lines.size() < LINES_TRIED; at++) {
      boolean end = at == text.length();
      quoted ^= !end && text.charAt(at) == '"';
      if (end || (!quoted && text.charAt(at) == '\n')) {
        String line = text.substring(from, at);
        if (!line.isBlank()) {
          lines.add(line);
        }
        from = at + 1;
      }
    }
    return lines;
  }

  private static boolean splitsAlike(List<String> lines, char separator) {
    int expected = count(lines.getFirst(), separator);
    return expected > 0 && lines.stream().allMatch(line -> count(line, separator) == expected);
  }

  /** Separators outside of quotation marks. */
  private static int count(String line, char separator) {
    boolean quoted = false;
    int count = 0;
    for (int i = 0; i < line.length(); i++) {
      quoted ^= line.charAt(i) == '"';
      count += !quoted && line.charAt(i) == separator ? 1 : 0;
    }
    return count;
  }

  private static boolean splitsByBlanks(List<String> lines) {
    int expected = lines.getFirst().strip().split("\\s+").length;
    return expected > 1
        && lines.stream().allMatch(line -> line.strip().split("\\s+").length == expected);
  }

  private static List<String> columns(String file, List<String> first, TableFormat format) {
    if (!format.names().isEmpty()) {
      if (format.names().size() != first.size()) {
        throw new SettingException(
            "dataset.names",
            format.names().size() + " names for the " + first.size() + " columns of " + file,
            "name every column");
      }
      return format.names();
    }
    if (!format.header()) {
      return IntStream.rangeClosed(1, first.size()).mapToObj(i -> "column" + i).toList();
    }
    requireNames(file, first);
    return IntStream.range(0, first.size())
        .mapToObj(i -> first.get(i).isEmpty() ? "column" + (i + 1) : first.get(i))
        .toList();
  }

  /**
   * Whether a line can name columns. Numbers are names only if they count the columns, as some
   * programs write them.
   */
  public static boolean isHeader(List<String> first) {
    List<String> numbers = first.stream().filter(TableFormat::isNumber).toList();
    return IntStream.range(0, numbers.size())
            .allMatch(i -> numbers.get(i).equals(Integer.toString(i)))
        || IntStream.range(0, numbers.size())
            .allMatch(i -> numbers.get(i).equals(Integer.toString(i + 1)));
  }

  private static void requireNames(String file, List<String> first) {
    if (!isHeader(first)) {
      throw new DamagedDataException(
          file,
          "line 1",
          "the first line should name the columns, but it holds the number '"
              + first.stream().filter(TableFormat::isNumber).findFirst().orElse("")
              + "'; choose dataset.header: false if it is data already");
    }
  }
}
