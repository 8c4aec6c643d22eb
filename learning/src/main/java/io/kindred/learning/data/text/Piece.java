package io.kindred.learning.data.text;

/**
 * A part of a word. A blank before a word belongs to the word's first piece and is written as
 * {@link #BLANK}.
 *
 * @param score logarithm of the piece's probability
 */
record Piece(String text, double score, Kind kind) {
  /** Stands for a blank within a piece. */
  public static final char BLANK = '\u2581';

  /** How a piece is used. */
  public enum Kind {
    /** Matches text. */
    NORMAL,
    /** Stands for characters that no piece covers. */
    UNKNOWN,
    /** Has a meaning to the model, such as the start of a text, and never matches text. */
    CONTROL,
    /** Not used any more. */
    UNUSED
  }
}
