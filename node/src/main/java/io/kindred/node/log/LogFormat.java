package io.kindred.node.log;

/** Format of log lines. */
public enum LogFormat {
  /** The time and the text. */
  TEXT,
  /** One JSON object a line. */
  JSON
}
