package io.kindred.learning.data.synthetic;

import java.util.ArrayList;
import java.util.List;

/**
 * Four hand-made alphabets of pen strokes: the digits, then A to F. A character fills a box 60 wide
 * and 100 high, y downwards. The alphabets are text rather than a font, because no font is the same
 * on every machine.
 */
final class Alphabets {
  static final int CHARACTERS = 16;

  /** Plain, with full bowls. */
  static final List<StrokePath> ROUND =
      parse(
          """
          M30 2 C8 2 4 25 4 50 C4 75 8 98 30 98 C52 98 56 75 56 50 C56 25 52 2 30 2
          M12 22 L34 4 L34 98
          M6 26 C8 -6 54 -4 54 28 C54 50 30 60 6 98 L56 98
          M8 14 C24 -8 54 2 50 28 C48 44 34 48 24 48 C40 48 56 56 56 74 C56 104 16 104 4 84
          M42 98 L42 2 L4 68 L58 68
          M52 2 L14 2 L10 44 C24 32 56 36 56 68 C56 104 16 104 4 86
          M46 4 C22 20 4 44 4 70 C4 106 56 106 56 70 C56 36 8 38 5 66
          M4 2 L56 2 L22 98
          M30 46 C4 40 4 2 30 2 C56 2 56 40 30 46 C-4 54 -4 98 30 98 C64 98 64 54 30 46
          M14 96 C38 80 56 56 56 30 C56 -6 4 -6 4 30 C4 64 52 62 55 34
          M2 98 L30 2 L58 98 M12 64 L48 64
          M6 2 L6 98 L28 98 C64 98 64 48 28 48 L6 48 M6 2 L26 2 C58 2 58 48 26 48
          M56 20 C40 -10 4 -2 4 50 C4 102 40 110 56 80
          M6 2 L6 98 L22 98 C68 98 68 2 22 2 L6 2
          M54 2 L6 2 L6 98 L54 98 M6 48 L44 48
          M54 2 L6 2 L6 98 M6 48 L44 48
          """);

  /** Straight strokes only, after the seven-segment display. */
  static final List<StrokePath> SQUARE =
      parse(
          """
          M4 2 L56 2 L56 98 L4 98 L4 2
          M18 2 L32 2 L32 98
          M4 2 L56 2 L56 48 L4 48 L4 98 L56 98
          M4 2 L56 2 L56 98 L4 98 M16 48 L56 48
          M4 2 L4 52 L56 52 M50 2 L50 98
          M56 2 L4 2 L4 48 L56 48 L56 98 L4 98
          M50 2 L4 2 L4 98 L56 98 L56 50 L4 50
          M4 18 L4 2 L56 2 L56 98
          M8 2 L52 2 L52 48 L8 48 L8 2 M8 48 L2 56 L2 98 L58 98 L58 56 L52 48
          M56 50 L4 50 L4 2 L56 2 L56 98 L10 98
          M4 98 L4 20 L20 2 L40 2 L56 20 L56 98 M4 58 L56 58
          M4 2 L4 98 L56 98 L56 46 L4 46
          M56 2 L4 2 L4 98 L56 98
          M56 2 L56 98 L4 98 L4 46 L56 46
          M56 2 L4 2 L4 98 L56 98 M4 50 L42 50
          M56 2 L4 2 L4 98 M4 50 L42 50
          """);

  /** Book hand: strokes end in feet and beaks. */
  static final List<StrokePath> SERIF =
      parse(
          """
          M30 2 C14 2 8 22 8 50 C8 78 14 98 30 98 C46 98 52 78 52 50 C52 22 46 2 30 2
          M12 20 L32 4 L32 98 M20 98 L44 98
          M10 24 L10 28 C8 -6 52 -6 52 26 C52 46 34 62 8 96 L54 96 L56 82
          M10 14 L10 4 L50 4 L24 42 C68 40 64 98 26 98 C14 98 8 92 8 84 L10 80
          M44 98 L44 4 L2 72 L58 72 M34 98 L54 98
          M52 0 L50 4 L16 4 L12 46 C28 36 54 42 54 68 C54 102 14 104 8 86 L10 82
          M50 20 L50 16 C46 -2 6 -4 6 58 C6 110 54 108 54 70 C54 40 12 38 6 68
          M6 16 L6 4 L54 4 C36 34 26 64 26 98
          M30 46 C10 38 8 2 30 2 C52 2 50 38 30 46 C0 58 0 98 30 98 C60 98 60 58 30 46
          M10 80 L10 84 C14 102 54 104 54 42 C54 -10 6 -8 6 30 C6 60 48 62 54 32
          M6 98 L29 4 L54 98 M14 62 L44 62 M-3 98 L15 98 M45 98 L63 98
          M12 2 L12 98 M3 2 L12 2 C56 -2 56 50 12 48 C66 46 66 102 12 98 L3 98
          M54 8 L54 28 C48 -8 4 -6 4 50 C4 108 46 106 56 78
          M10 2 L10 98 M1 2 L10 2 C70 -4 70 104 10 98 L1 98
          M12 2 L12 98 M3 2 L52 2 L54 14 M12 48 L40 48 M40 42 L40 54 M3 98 L54 98 L57 84
          M12 2 L12 98 M3 2 L52 2 L54 14 M12 48 L40 48 M40 42 L40 54 M3 98 L24 98
          """);

  /** Running hand: slashed 0, looped 2, open 4, crossed 7, and small letters. */
  static final List<StrokePath> SCRIPT =
      parse(
          """
          M34 2 C10 0 4 30 6 54 C8 80 14 98 30 98 C50 98 56 70 54 44 C52 16 46 2 28 6 M54 6 L6 94
          M8 40 C20 30 28 16 34 2 L32 98
          M8 24 C14 -8 54 -4 52 26 C50 56 22 74 8 92 C2 100 4 80 18 84 C34 90 44 104 58 88
          M8 12 C30 -10 58 6 48 30 C42 46 26 52 22 46 C20 40 36 40 46 54 C66 80 36 112 4 88
          M18 2 C14 24 10 40 4 58 L58 54 M46 26 L38 100
          M16 4 L10 44 C30 30 60 44 54 72 C48 100 18 104 4 88 M16 4 C28 8 44 6 56 2
          M44 0 C16 18 0 56 8 80 C18 106 54 98 52 72 C50 48 18 52 8 76
          M4 12 C8 2 12 4 20 5 L56 4 C40 36 28 60 22 98 M12 52 L50 48
          M50 12 C28 -12 -4 20 26 44 C62 66 54 98 28 98 C-4 98 4 62 32 44 C54 30 58 16 46 6
          M52 24 C44 -8 6 0 6 28 C6 56 46 54 52 20 C52 60 50 84 20 98
          M52 42 C38 26 4 36 4 68 C4 104 44 100 52 60 L54 36 C48 72 50 98 62 94
          M14 2 L8 96 M9 70 C20 34 58 38 56 68 C54 104 16 106 8 88
          M50 46 C40 24 4 32 4 66 C4 104 42 104 54 84
          M48 46 C38 28 4 36 4 68 C4 104 44 102 50 66 M56 2 L50 76 C48 92 54 100 62 94
          M6 68 C30 70 54 62 50 46 C44 26 4 30 4 68 C4 106 42 106 56 84
          M54 14 C50 -6 30 -6 27 24 L20 100 M4 46 L46 42
          """);

  private Alphabets() {}

  private static List<StrokePath> parse(String lines) {
    List<StrokePath> characters = new ArrayList<>();
    for (String line : lines.split("\n", -1)) {
      if (!line.isEmpty()) {
        characters.add(StrokePath.parse(line));
      }
    }
    if (characters.size() != CHARACTERS) {
      throw new IllegalStateException(
          "an alphabet has " + CHARACTERS + " characters, found " + characters.size());
    }
    return List.copyOf(characters);
  }
}
