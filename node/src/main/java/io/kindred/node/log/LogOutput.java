package io.kindred.node.log;

import java.util.List;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Sends all that the process logs to one output, in one format. Lines of libraries, such as gRPC
 * and Netty, appear from severity WARN on at any level of the node, so that they cannot flood the
 * screen.
 */
public final class LogOutput implements AutoCloseable {
  static final String NODE_LOGGER = "io.kindred.node";

  private static final Level LIBRARY_LEVEL = Level.WARNING;

  // Held, because java.util.logging forgets the level of a logger that is not referenced.
  private final Logger root = Logger.getLogger("");
  private final Logger node = Logger.getLogger(NODE_LOGGER);

  private final List<Handler> handlersBefore = List.of(root.getHandlers());
  private final @Nullable Level rootLevelBefore = root.getLevel();
  private final @Nullable Level nodeLevelBefore = node.getLevel();
  private final LineHandler handler;

  /**
   * Takes over the handlers of the process until {@link #close}.
   *
   * @param lines receives whole lines, without line breaks
   */
  public LogOutput(LogFormat format, LogLevel level, Consumer<String> lines) {
    handler = new LineHandler(level, lines);
    handler.setFormatter(new LineFormatter(format, level == LogLevel.DEBUG));
    handlersBefore.forEach(root::removeHandler);
    root.addHandler(handler);
    root.setLevel(LIBRARY_LEVEL);
    node.setLevel(level.backend());
  }

  static boolean isOfNode(LogRecord record) {
    return NODE_LOGGER.equals(record.getLoggerName());
  }

  /** Gives the process its former handlers and levels back. */
  @Override
  public void close() {
    handler.closed = true;
    root.removeHandler(handler);
    handlersBefore.forEach(root::addHandler);
    root.setLevel(rootLevelBefore);
    node.setLevel(nodeLevelBefore);
  }

  private final class LineHandler extends Handler {
    private final LogLevel nodeLevel;
    private final Consumer<String> lines;
    private volatile boolean closed;

    LineHandler(LogLevel nodeLevel, Consumer<String> lines) {
      this.nodeLevel = nodeLevel;
      this.lines = lines;
    }

    /** Checks the severity again, since a reset changes the levels of all loggers. */
    @Override
    public boolean isLoggable(@Nullable LogRecord record) {
      return record != null
          && record.getLevel().intValue()
              >= (isOfNode(record) ? nodeLevel.backend() : LIBRARY_LEVEL).intValue();
    }

    @Override
    public void publish(@Nullable LogRecord record) {
      if (record != null && isLoggable(record)) {
        lines.accept(getFormatter().format(record));
      }
    }

    @Override
    public void flush() {}

    /**
     * Called when java.util.logging resets itself, as it does when the process begins to end. The
     * node then still has to stop, so this handler stays.
     */
    @Override
    public void close() {
      if (!closed) {
        root.addHandler(this);
      }
    }
  }
}
