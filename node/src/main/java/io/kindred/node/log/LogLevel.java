package io.kindred.node.log;

import java.util.Locale;
import java.util.logging.Level;

/** Severity of log lines. */
public enum LogLevel {
  DEBUG,
  INFO,
  WARN,
  ERROR;

  /** The same severity in java.util.logging, as slf4j-jdk14 maps it. */
  Level backend() {
    return switch (this) {
      case DEBUG -> Level.FINE;
      case INFO -> Level.INFO;
      case WARN -> Level.WARNING;
      case ERROR -> Level.SEVERE;
    };
  }

  /** The name of a severity of java.util.logging, which has more than four. */
  static String nameOf(Level backend) {
    LogLevel found = DEBUG;
    for (LogLevel level : values()) {
      if (backend.intValue() >= level.backend().intValue()) {
        found = level;
      }
    }
    return found.name().toLowerCase(Locale.ROOT);
  }
}
