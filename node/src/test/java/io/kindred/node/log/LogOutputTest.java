package io.kindred.node.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.PeerId;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import tools.jackson.databind.JsonNode;

class LogOutputTest {
  private static final NodeLog LOG = NodeLog.ofProcess();
  private static final String TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z";

  private final List<String> lines = new ArrayList<>();

  private LogOutput open(LogFormat format, LogLevel level) {
    return new LogOutput(format, level, lines::add);
  }

  private JsonNode single() {
    assertThat(lines).hasSize(1);
    assertThat(lines.getFirst()).doesNotContain("\n");
    return Json.tree(lines.getFirst());
  }

  @Test
  void textIsTheTimeAndTheWords() {
    try (LogOutput _ = open(LogFormat.TEXT, LogLevel.INFO)) {
      LOG.withNode(3).warn("no-tls", "refused: {}", "\"x\"");
    }
    assertThat(lines).hasSize(1);
    assertThat(lines.getFirst()).matches(TIME + " refused: \"x\"");
  }

  @Test
  void theTimeIsInUniversalTimeToTheMillisecond() {
    LogRecord record = new LogRecord(Level.INFO, "x");
    record.setLoggerName(LogOutput.NODE_LOGGER);
    record.setInstant(Instant.parse("2026-02-03T04:05:06.789123Z"));
    assertThat(new LineFormatter(LogFormat.TEXT, false).format(record))
        .isEqualTo("2026-02-03T04:05:06.789Z x");
    assertThat(new LineFormatter(LogFormat.JSON, false).format(record))
        .isEqualTo("{\"time\":\"2026-02-03T04:05:06.789Z\",\"level\":\"info\",\"text\":\"x\"}");
  }

  @ParameterizedTest
  @CsvSource({"DEBUG, 4", "INFO, 3", "WARN, 2", "ERROR, 1"})
  void linesBelowTheLevelAreLeftOut(LogLevel level, int count) {
    try (LogOutput _ = open(LogFormat.JSON, level)) {
      LOG.debug("a", "debug");
      LOG.info("a", "info");
      LOG.warn("a", "warn");
      LOG.error("a", "error");
    }
    List<String> all = List.of("debug", "info", "warn", "error");
    assertThat(lines.stream().map(line -> Json.tree(line).get("level").asString()))
        .isEqualTo(all.subList(4 - count, 4));
    assertThat(lines.stream().map(line -> Json.tree(line).get("text").asString()))
        .isEqualTo(all.subList(4 - count, 4));
  }

  @Test
  void jsonIsOneObjectALineWhateverTheTextHolds() {
    String text = "refused: \"x\"\nand\r\n\tmore \\ {} \u0007\u2028 ä";
    try (LogOutput _ = open(LogFormat.JSON, LogLevel.INFO)) {
      LOG.withNode(3).withPeer(new PeerId(7)).withRound(12).warn("no-tls", "{}", text);
    }
    JsonNode line = single();
    assertThat(line.propertyNames())
        .containsExactly("time", "level", "event", "text", "node", "peer", "round");
    assertThat(line.get("time").asString()).matches(TIME);
    assertThat(line.get("level").asString()).isEqualTo("warn");
    assertThat(line.get("event").asString()).isEqualTo("no-tls");
    assertThat(line.get("text").asString()).isEqualTo(text);
    assertThat(line.get("node").asLong()).isEqualTo(3);
    assertThat(line.get("peer").asLong()).isEqualTo(7);
    assertThat(line.get("round").asLong()).isEqualTo(12);
  }

  @Test
  void jsonHasTheExceptionWithItsCause() {
    Exception broken = new IllegalStateException("a \"b\"\nc", new IOException("disk full"));
    try (LogOutput _ = open(LogFormat.JSON, LogLevel.INFO)) {
      LOG.error("failed", "failed: {}", broken.getMessage(), broken);
    }
    JsonNode line = single();
    assertThat(line.get("text").asString()).isEqualTo("failed: a \"b\"\nc");
    assertThat(line.get("exception").asString())
        .startsWith("java.lang.IllegalStateException: a \"b\"\nc\n\tat ")
        .contains("Caused by: java.io.IOException: disk full")
        .contains(LogOutputTest.class.getName());
  }

  @Test
  void textHasStackTracesAtDebugOnly() {
    Exception broken = new IllegalStateException("no host");
    for (LogLevel level : List.of(LogLevel.INFO, LogLevel.DEBUG)) {
      try (LogOutput _ = open(LogFormat.TEXT, level)) {
        LOG.warn("task", "{} failed: {}", "asking", broken.toString(), broken);
      }
    }
    assertThat(lines.getFirst())
        .matches(TIME + " asking failed: java.lang.IllegalStateException: no host");
    assertThat(lines.getLast()).contains("no host\njava.lang.IllegalStateException: no host\n\tat");
  }

  /** Text of other peers must not be taken for a pattern. */
  @Test
  void bracesInArgumentsStay() {
    try (LogOutput _ = open(LogFormat.TEXT, LogLevel.INFO)) {
      LOG.info("x", "{} and {}", "{} \\{}", null);
    }
    assertThat(lines.getFirst()).endsWith("Z {} \\{} and null");
  }

  /** As gRPC and Netty log, through java.util.logging or slf4j. */
  @Test
  void librariesAreHeardFromWarningsOnInTheSameFormat() {
    Logger grpc = Logger.getLogger("io.grpc.internal.Planted");
    try (LogOutput _ = open(LogFormat.JSON, LogLevel.DEBUG)) {
      grpc.info("Received data on closed stream");
      grpc.fine("noise");
      LoggerFactory.getLogger("io.netty.Planted").info("noise");
      grpc.log(Level.WARNING, "{0} broke", new Object[] {"it"});
    }
    JsonNode line = single();
    assertThat(line.get("event").asString()).isEqualTo("library");
    assertThat(line.get("logger").asString()).isEqualTo("io.grpc.internal.Planted");
    assertThat(line.get("text").asString()).isEqualTo("it broke");
    lines.clear();
    try (LogOutput _ = open(LogFormat.TEXT, LogLevel.ERROR)) {
      grpc.log(Level.SEVERE, "broke", new IOException("no route"));
    }
    assertThat(lines.getFirst())
        .matches(TIME + " io.grpc.internal.Planted: broke \\(java.io.IOException: no route\\)");
  }

  /** java.util.logging resets itself when the process begins to end; the node stops after that. */
  @Test
  void linesStillComeAfterAReset() throws IOException {
    try (LogOutput _ = open(LogFormat.TEXT, LogLevel.WARN)) {
      LogManager.getLogManager().reset();
      LOG.info("stopping", "below the level");
      LOG.warn("stopping", "last line");
      Logger.getLogger("io.grpc.Planted").info("noise");
    } finally {
      LogManager.getLogManager().readConfiguration();
    }
    assertThat(lines).hasSize(1);
    assertThat(lines.getFirst()).endsWith("last line");
  }

  @Test
  void closingGivesTheHandlersAndTheContextBack() {
    Handler[] before = Logger.getLogger("").getHandlers();
    Level level = Logger.getLogger("").getLevel();
    MDC.put("peer", "ours");
    try (LogOutput _ = open(LogFormat.TEXT, LogLevel.INFO)) {
      LOG.withPeer(new PeerId(1)).info("x", "y");
      assertThat(MDC.get("peer")).isEqualTo("ours");
      assertThat(MDC.get("event")).isNull();
    } finally {
      MDC.clear();
    }
    LOG.withPeer(new PeerId(1)).info("x", "to the console of the tests");
    assertThat(lines).hasSize(1);
    assertThat(Logger.getLogger("").getHandlers()).containsExactly(before);
    assertThat(Logger.getLogger("").getLevel()).isEqualTo(level);
  }

  @Test
  void aLogOfTextsHasTheTextsFromInfoOn() {
    NodeLog log = NodeLog.ofTexts(lines::add);
    log.debug("x", "not this");
    log.withPeer(new PeerId(1)).info("x", "{} of {}", 1, 2);
    log.error("x", "failed: {}", "why", new IOException("lost"));
    assertThat(lines).containsExactly("1 of 2", "failed: why");
  }
}
