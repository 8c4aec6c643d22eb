package io.kindred.storage.config;

import io.kindred.storage.config.ConfigNode.Entry;
import io.kindred.storage.config.ConfigNode.Mapping;
import io.kindred.storage.config.ConfigNode.Scalar;
import io.kindred.storage.config.ConfigNode.Sequence;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Writes a tree as YAML: sections as blocks, lists of plain values on one line. Uses no library,
 * because the same tree must give the same bytes whatever the version of a library.
 */
public final class YamlWriter {
  private static final Pattern NEEDS_NO_QUOTES =
      Pattern.compile("-?[A-Za-z0-9/_][A-Za-z0-9/_.+-]*|-?\\.\\d[A-Za-z0-9+-]*");

  /** Text that some YAML readers, though not {@link YamlReader}, would take for another type. */
  private static final Pattern LOOKS_LIKE_ANOTHER_TYPE =
      Pattern.compile(
          "null|true|false|yes|no|on|off|y|n|[+-]?[.0-9][0-9_.]*(e[+-]?[0-9]+)?|0[xob][0-9a-f_]+"
              + "|[0-9]+-[0-9]+-[0-9]+.*");

  private static final String STEP = "  ";

  private YamlWriter() {}

  public static String of(Mapping root) {
    if (root.entries().isEmpty()) {
      return "{}\n";
    }
    StringBuilder out = new StringBuilder();
    entries(root, "", out);
    return out.toString();
  }

  private static void entries(Mapping mapping, String indent, StringBuilder out) {
    for (Entry entry : mapping.entries()) {
      out.append(indent).append(text(entry.key()));
      writeValue(":", entry.value(), indent, out);
    }
  }

  /** Writes a value behind a key or a dash: on the same line if it can be, below it if not. */
  private static void writeValue(String mark, ConfigNode value, String indent, StringBuilder out) {
    out.append(mark);
    if (fitsOnLine(value)) {
      out.append(' ').append(inline(value)).append('\n');
      return;
    }
    out.append('\n');
    switch (value) {
      case Mapping mapping -> entries(mapping, indent + STEP, out);
      case Sequence sequence -> items(sequence.items(), indent + STEP, out);
      case Scalar _ -> throw new IllegalStateException("a scalar fits on a line");
    }
  }

  private static void items(List<ConfigNode> items, String indent, StringBuilder out) {
    for (ConfigNode item : items) {
      if (item instanceof Mapping mapping && !mapping.entries().isEmpty()) {
        int start = out.length();
        entries(mapping, indent + STEP, out);
        // The first key shares the line of the dash.
        out.setCharAt(start + indent.length(), '-');
      } else {
        out.append(indent);
        writeValue("-", item, indent, out);
      }
    }
  }

  private static boolean fitsOnLine(ConfigNode node) {
    return switch (node) {
      case Scalar _ -> true;
      case Mapping mapping -> mapping.entries().isEmpty();
      case Sequence sequence -> sequence.items().stream().allMatch(Scalar.class::isInstance);
    };
  }

  private static String inline(ConfigNode node) {
    return switch (node) {
      case Scalar scalar -> scalar(scalar);
      case Mapping _ -> "{}";
      case Sequence sequence ->
          "[" + String.join(", ", sequence.items().stream().map(YamlWriter::inline).toList()) + "]";
    };
  }

  private static String scalar(Scalar scalar) {
    return switch (scalar.form()) {
      case MISSING -> "null";
      case TEXT -> text(scalar.text());
      case PLAIN ->
          NEEDS_NO_QUOTES.matcher(scalar.text()).matches() ? scalar.text() : quoted(scalar.text());
    };
  }

  private static String text(String text) {
    boolean plain =
        NEEDS_NO_QUOTES.matcher(text).matches()
            && !LOOKS_LIKE_ANOTHER_TYPE.matcher(text.toLowerCase(Locale.ROOT)).matches();
    return plain ? text : quoted(text);
  }

  private static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    text.codePoints().forEach(point -> escape(point, out));
    return out.append('"').toString();
  }

  private static void escape(int point, StringBuilder out) {
    if (point == '"' || point == '\\') {
      out.append('\\').append((char) point);
    } else if ((point >= ' ' && point <= '~') || Character.isLetterOrDigit(point)) {
      out.appendCodePoint(point);
    } else if (point == '\n') {
      out.append("\\n");
    } else if (point == '\t') {
      out.append("\\t");
    } else {
      out.append(String.format(Locale.ROOT, point > 0xFFFF ? "\\U%08X" : "\\u%04X", point));
    }
  }
}
