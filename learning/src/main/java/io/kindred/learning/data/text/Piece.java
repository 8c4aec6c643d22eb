package io.kindred.learning.data.text;

/**
 * A part of a word. A blank before a word belongs to the word's first piece and is written as
 * {@link #BLANK}.
 *
 * @param score logarithm of the piece's probability
 */
record Piece(String text, double score, Kind kind) {
  /** Stands for a blank, so that pieces can be told apart from the blanks between them. */
  public static final char BLANK = '\u2581';

  /** What a piece is good for. */
  public enum Kind {
    /** Found in texts. */
    NORMAL,
    /** Stands for whatever no piece covers. */
    UNKNOWN,
    /** Means something to a model, such as the start of a text, and is never found in texts. */
    CONTROL,
    /** Not used any more. */
    UNUSED
  }
}
