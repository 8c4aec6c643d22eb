package io.kindred.protocol.discovery;

/** How the values of a sketch are encoded. */
public enum SketchForm {
  /** One bit a value, its sign: the angle follows from the share of different bits. */
  SIGN,
  /** One byte a value: a multiple of the largest magnitude divided by 127. */
  INT8,
  /** Four bytes a value. */
  FLOAT;

  /** How many values fit into so many bytes. */
  public int values(int bytes) {
    return switch (this) {
      case SIGN -> 8 * bytes;
      case INT8 -> bytes;
      case FLOAT -> bytes / 4;
    };
  }
}
