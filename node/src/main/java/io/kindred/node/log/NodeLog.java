package io.kindred.node.log;

import io.kindred.core.peer.PeerId;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.slf4j.event.Level;

/**
 * An slf4j logger with the fields that lines of a node carry: the kind of event, and the node, peer
 * and round that a line is about. The fields travel in the diagnostic context (MDC) of the calling
 * thread for the duration of the call, because a node logs from many threads, and because
 * slf4j-jdk14 would write key-value pairs of slf4j into the text.
 *
 * <p>Patterns and arguments are those of slf4j: a last argument without a place in the pattern is
 * the exception. Keys, models and messages never appear in the log.
 */
public final class NodeLog {
  static final String EVENT = "event";
  static final String NODE = "node";
  static final String PEER = "peer";
  static final String ROUND = "round";

  private final Logger logger;
  private final SortedMap<String, String> fields;

  private NodeLog(Logger logger, SortedMap<String, String> fields) {
    this.logger = logger;
    this.fields = fields;
  }

  /** The log that a node writes to. */
  public static NodeLog ofProcess() {
    return new NodeLog(LoggerFactory.getLogger(LogOutput.NODE_LOGGER), new TreeMap<>());
  }

  /** A log that passes on the texts from severity INFO on, without time, severity and fields. */
  public static NodeLog ofTexts(Consumer<String> texts) {
    return new NodeLog(new TextLogger(texts), new TreeMap<>());
  }

  /** The same log, for lines of this node. */
  public NodeLog withNode(long number) {
    return with(NODE, number);
  }

  /** The same log, for lines about another peer. */
  public NodeLog withPeer(PeerId peer) {
    return with(PEER, peer.number());
  }

  /** The same log, for lines about a round. */
  public NodeLog withRound(long round) {
    return with(ROUND, round);
  }

  private NodeLog with(String field, long value) {
    SortedMap<String, String> more = new TreeMap<>(fields);
    more.put(field, Long.toString(value));
    return new NodeLog(logger, more);
  }

  public void debug(String event, String pattern, @Nullable Object... arguments) {
    write(Level.DEBUG, event, pattern, arguments);
  }

  /**
   * Writes one line.
   *
   * @param event the kind of event, as one word for machines
   * @param pattern the same for people, with {@code {}} for each argument
   */
  public void info(String event, String pattern, @Nullable Object... arguments) {
    write(Level.INFO, event, pattern, arguments);
  }

  public void warn(String event, String pattern, @Nullable Object... arguments) {
    write(Level.WARN, event, pattern, arguments);
  }

  public void error(String event, String pattern, @Nullable Object... arguments) {
    write(Level.ERROR, event, pattern, arguments);
  }

  private void write(Level level, String event, String pattern, @Nullable Object[] arguments) {
    if (!logger.isEnabledForLevel(level)) {
      return;
    }
    Map<String, String> before = MDC.getCopyOfContextMap();
    try {
      fields.forEach(MDC::put);
      MDC.put(EVENT, event);
      switch (level) {
        case ERROR -> logger.error(pattern, arguments);
        case WARN -> logger.warn(pattern, arguments);
        case INFO -> logger.info(pattern, arguments);
        case DEBUG, TRACE -> logger.debug(pattern, arguments);
      }
    } finally {
      if (before == null) {
        MDC.clear();
      } else {
        MDC.setContextMap(before);
      }
    }
  }
}
