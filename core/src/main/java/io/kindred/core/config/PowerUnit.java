package io.kindred.core.config;

/** A logarithmic unit in which a number may be written, beside the linear one that it means. */
public enum PowerUnit {
  /** No other unit. */
  NONE,
  /** A ratio of powers, which may be written in decibels: {@code 10 dB} is ten. */
  RATIO,
  /** A power in watts, which may be written in decibels over a milliwatt: {@code 23 dBm}. */
  WATTS
}
