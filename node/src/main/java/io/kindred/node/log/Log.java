package io.kindred.node.log;

import io.kindred.storage.json.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Takes what a node has to say. Keys, models and messages are never part of it. */
@FunctionalInterface
public interface Log {
  /** How much somebody should care. */
  enum Level {
    INFO,
    WARN,
    ERROR
  }

  /** How lines look. */
  enum Format {
    /** The time and the text. */
    TEXT,
    /** One JSON object a line: time, level, event, text. */
    JSON
  }

  /**
   * Takes one line.
   *
   * @param event what kind of thing happened, as one word for machines
   * @param text the same for people
   */
  void write(Level level, String event, String text);

  default void info(String event, String text) {
    write(Level.INFO, event, text);
  }

  default void warn(String event, String text) {
    write(Level.WARN, event, text);
  }

  /** Text alone, for whoever does not ask what kind of thing it is. */
  static Log of(Consumer<String> texts) {
    return (level, event, text) -> texts.accept(text);
  }

  /** Whole lines, with the time of a clock. */
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

  /** A line in JSON. */
  record JsonLine(String time, String level, String event, String text) {}
}
