package io.kindred.node.log;

import io.kindred.storage.json.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Lays out a record as one line, without the line break. It runs in the thread that logs, so the
 * fields of {@link NodeLog} are in the diagnostic context of the current thread.
 */
final class LineFormatter extends Formatter {
  private final LogFormat format;
  private final boolean printStackTraces;

  /**
   * Makes a formatter.
   *
   * @param printStackTraces whether a stack trace follows a line of text; JSON always has it
   */
  LineFormatter(LogFormat format, boolean printStackTraces) {
    this.format = format;
    this.printStackTraces = printStackTraces;
  }

  @Override
  public String format(LogRecord record) {
    String time = record.getInstant().truncatedTo(ChronoUnit.MILLIS).toString();
    return switch (format) {
      case TEXT -> time + " " + text(record);
      case JSON -> Json.line(json(time, record));
    };
  }

  /** Lines of libraries name the logger, since their texts rarely say what they are about. */
  private String text(LogRecord record) {
    String message = formatMessage(record);
    Throwable thrown = record.getThrown();
    if (LogOutput.isOfNode(record)) {
      return thrown != null && printStackTraces ? message + "\n" + stackTrace(thrown) : message;
    }
    String line = record.getLoggerName() + ": " + message;
    if (thrown == null) {
      return line;
    }
    return line + (printStackTraces ? "\n" + stackTrace(thrown) : " (" + thrown + ")");
  }

  private JsonLine json(String time, LogRecord record) {
    boolean ofNode = LogOutput.isOfNode(record);
    Map<String, String> context = MDC.getCopyOfContextMap();
    Map<String, String> fields = context == null || !ofNode ? Map.of() : context;
    Throwable thrown = record.getThrown();
    return new JsonLine(
        time,
        LogLevel.nameOf(record.getLevel()),
        ofNode ? fields.get(NodeLog.EVENT) : "library",
        formatMessage(record),
        number(fields.get(NodeLog.NODE)),
        number(fields.get(NodeLog.PEER)),
        number(fields.get(NodeLog.ROUND)),
        ofNode ? null : record.getLoggerName(),
        thrown == null ? null : stackTrace(thrown));
  }

  private static @Nullable Long number(@Nullable String field) {
    return field == null ? null : Long.valueOf(field);
  }

  private static String stackTrace(Throwable thrown) {
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text, true));
    return text.toString().stripTrailing();
  }

  /** The fields of a line in JSON; absent ones are left out. */
  private record JsonLine(
      String time,
      String level,
      @Nullable String event,
      String text,
      @Nullable Long node,
      @Nullable Long peer,
      @Nullable Long round,
      @Nullable String logger,
      @Nullable String exception) {}
}
