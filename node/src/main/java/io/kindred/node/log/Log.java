package io.kindred.node.log;

import io.kindred.storage.json.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The log of a node. Keys, models and messages never appear in it. */
@FunctionalInterface
public interface Log {
  /** Severity of a line. */
  enum Level {
    INFO,
    WARN,
    ERROR
  }

  /** Format of lines. */
  enum Format {
    /** The time and the text. */
    TEXT,
    /** One JSON object a line: time, level, event, text. */
    JSON
  }

  /**
   * Writes one line.
   *
   * @param event the kind of event, as one word for machines
   * @param text the same for people
   */
  void write(Level level, String event, String text);

  default void info(String event, String text) {
    write(Level.INFO, event, text);
  }

  default void warn(String event, String text) {
    write(Level.WARN, event, text);
  }

  /** A log that passes on the text alone, without time, level and event. */
  static Log of(Consumer<String> texts) {
    return (level, event, text) -> texts.accept(text);
  }

  /** A log of whole lines, each with the time of the clock. */
  static Log lines(Format format, Supplier<Instant> clock, Consumer<String> lines) {
    return (level, event, text) -> {
      String time = clock.get().truncatedTo(ChronoUnit.MILLIS).toString();
      lines.accept(
          switch (format) {
            case TEXT -> time + " " + text;
            case JSON ->
                Json.line(new JsonLine(time, level.name().toLowerCase(Locale.ROOT), event, text));
          });
    };
  }

  /** The fields of a line in JSON. */
  record JsonLine(String time, String level, String event, String text) {}
}
