package io.kindred.learning.data.text;

import io.kindred.learning.data.DamagedDataException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the pieces of a SentencePiece model file: a protocol buffer whose first field, repeated, is
 * a piece with its text (1), score (2) and kind (3). All other fields, such as the trainer
 * settings, are skipped.
 */
final class SentencePieceFile {
  private static final int VARINT = 0;
  private static final int EIGHT_BYTES = 1;
  private static final int BYTES = 2;
  private static final int FOUR_BYTES = 5;

  private final String name;
  private final byte[] bytes;
  private int at;
  private int end;

  private SentencePieceFile(String name, byte[] bytes) {
    this.name = name;
    this.bytes = bytes;
    this.end = bytes.length;
  }

  /**
   * The pieces, indexed by token id.
   *
   * @param name of the file, for messages
   */
  static List<Piece> read(String name, byte[] bytes) {
    List<Piece> pieces = new SentencePieceFile(name, bytes).pieces();
    if (pieces.isEmpty()) {
      throw new DamagedDataException(name, "byte 0", "the file holds no pieces");
    }
    return pieces;
  }

  private List<Piece> pieces() {
    List<Piece> pieces = new ArrayList<>();
    while (at < end) {
      long tag = varint();
      if (tag == tag(1, BYTES)) {
        int length = length();
        int whole = end;
        end = at + length;
        pieces.add(piece());
        end = whole;
      } else {
        skip((int) (tag & 7));
      }
    }
    return pieces;
  }

  private Piece piece() {
    String text = "";
    float score = 0;
    long kind = 1;
    while (at < end) {
      long tag = varint();
      if (tag == tag(1, BYTES)) {
        int length = length();
        text = new String(bytes, at, length, StandardCharsets.UTF_8);
        at += length;
      } else if (tag == tag(2, FOUR_BYTES)) {
        require(4);
        int bits = 0;
        for (int i = 3; i >= 0; i--) {
          bits = (bits << 8) | (bytes[at + i] & 0xff);
        }
        score = Float.intBitsToFloat(bits);
        at += 4;
      } else if (tag == tag(3, VARINT)) {
        kind = varint();
      } else {
        skip((int) (tag & 7));
      }
    }
    return new Piece(text, score, kind(kind));
  }

  /** Maps the file's numbers; user-defined pieces match text, single bytes do not. */
  private Piece.Kind kind(long number) {
    return switch ((int) number) {
      case 1, 4 -> Piece.Kind.NORMAL;
      case 2 -> Piece.Kind.UNKNOWN;
      case 3, 6 -> Piece.Kind.CONTROL;
      case 5 -> Piece.Kind.UNUSED;
      default -> throw damaged("a piece is of the unknown kind " + number);
    };
  }

  private static long tag(int field, int type) {
    return ((long) field << 3) | type;
  }

  private int length() {
    long length = varint();
    if (length < 0 || length > end - at) {
      throw damaged("a field of " + length + " bytes extends beyond the end of the message");
    }
    return (int) length;
  }

  private long varint() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      require(1);
      byte next = bytes[at++];
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw damaged("a number has more than 64 bits");
  }

  private void skip(int type) {
    int count =
        switch (type) {
          case VARINT -> {
            varint();
            yield 0;
          }
          case EIGHT_BYTES -> 8;
          case BYTES -> length();
          case FOUR_BYTES -> 4;
          default -> throw damaged("there is no wire type " + type);
        };
    require(count);
    at += count;
  }

  private void require(int count) {
    if (count > end - at) {
      throw damaged("the file ends within a field");
    }
  }

  private DamagedDataException damaged(String what) {
    return new DamagedDataException(name, "byte " + at, what);
  }
}
