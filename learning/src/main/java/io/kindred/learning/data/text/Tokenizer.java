package io.kindred.learning.data.text;

import io.kindred.core.config.SettingException;
import io.kindred.core.weights.Ints;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Splits texts into the likeliest sequence of pieces (Kudo, 2018: the unigram model of
 * SentencePiece), with the preprocessing of ALBERT: lower case, without accents, runs of blanks
 * merged, and a blank before the first word. A character that no piece covers is unknown.
 */
final class Tokenizer {
  /** How much less likely than the rarest piece an unknown character is, as in SentencePiece. */
  private static final double UNKNOWN_PENALTY = 10;

  private static final String PADDING = "<pad>";
  private static final String START = "[CLS]";
  private static final String END = "[SEP]";
  private static final String REMEDY = "use the pieces of an ALBERT model (spiece.model)";

  private final List<Piece> pieces;

  /** The texts of the normal pieces in alphabetical order; {@code tokenIdOf} has the id of each. */
  private final List<String> sortedTexts = new ArrayList<>();

  private final int[] tokenIdOf;
  private final int startId;
  private final int endId;
  private final int unknownId;
  private final double unknownScore;

  /**
   * @param pieces indexed by token id
   * @throws SettingException when a piece that a text encoder needs is missing
   */
  Tokenizer(List<Piece> pieces) {
    this.pieces = List.copyOf(pieces);
    List<Integer> normal = new ArrayList<>();
    double rarest = 0;
    for (int i = 0; i < pieces.size(); i++) {
      if (pieces.get(i).kind() == Piece.Kind.NORMAL) {
        normal.add(i);
        rarest = Math.min(rarest, pieces.get(i).score());
      }
    }
    normal.sort(Comparator.comparing(i -> pieces.get(i).text()));
    normal.forEach(i -> sortedTexts.add(pieces.get(i).text()));
    tokenIdOf = normal.stream().mapToInt(Integer::intValue).toArray();
    unknownScore = rarest - UNKNOWN_PENALTY;
    unknownId =
        firstMatching(
            piece -> piece.kind() == Piece.Kind.UNKNOWN, "a piece for unknown characters");
    if (firstMatching(piece -> piece.text().equals(PADDING), PADDING) != 0) {
      throw new SettingException("dataset.pieces", PADDING + " is not the first piece", REMEDY);
    }
    startId = firstMatching(piece -> piece.text().equals(START), START);
    endId = firstMatching(piece -> piece.text().equals(END), END);
  }

  private int firstMatching(Predicate<Piece> wanted, String what) {
    for (int i = 0; i < pieces.size(); i++) {
      if (wanted.test(pieces.get(i))) {
        return i;
      }
    }
    throw new SettingException("dataset.pieces", "the pieces lack " + what, REMEDY);
  }

  /**
   * Builds a tokenizer by counting: its pieces are the characters of the texts and their most
   * frequent words, each with its relative frequency as probability.
   */
  static Tokenizer fit(List<String> texts, int size) {
    SortedMap<String, Integer> counts = new TreeMap<>();
    for (String text : texts) {
      String normal = normalize(text);
      for (int i = 0; i < normal.length(); i++) {
        counts.merge(normal.substring(i, i + 1), 1, Integer::sum);
      }
      for (String word : normal.split("(?=" + Piece.BLANK + ")", -1)) {
        if (word.length() > 1) {
          counts.merge(word, 1, Integer::sum);
        }
      }
    }
    double total = counts.values().stream().mapToDouble(Integer::doubleValue).sum();
    List<Piece> pieces = new ArrayList<>();
    pieces.add(new Piece(PADDING, 0, Piece.Kind.CONTROL));
    pieces.add(new Piece("<unk>", 0, Piece.Kind.UNKNOWN));
    pieces.add(new Piece(START, 0, Piece.Kind.CONTROL));
    pieces.add(new Piece(END, 0, Piece.Kind.CONTROL));
    counts.entrySet().stream()
        // Characters first, so that nearly every word can be spelt.
        .sorted(
            Comparator.<Map.Entry<String, Integer>>comparingInt(
                    entry -> entry.getKey().length() == 1 ? 0 : 1)
                .thenComparing(Map.Entry.comparingByValue(Collections.reverseOrder()))
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(Math.max(0, size - pieces.size()))
        .forEach(
            entry ->
                pieces.add(
                    new Piece(
                        entry.getKey(),
                        StrictMath.log(entry.getValue() / total),
                        Piece.Kind.NORMAL)));
    return new Tokenizer(pieces);
  }

  int size() {
    return pieces.size();
  }

  /** Start, the pieces of the text, end; cut to the length or padded with zeros. */
  Ints encode(String text, int length) {
    List<Integer> found = tokenIds(text);
    int[] encoded = new int[length];
    int kept = Math.min(found.size(), Math.max(0, length - 2));
    for (int i = 0; i < kept; i++) {
      encoded[i + 1] = found.get(i);
    }
    if (length > 0) {
      encoded[0] = startId;
    }
    if (length > 1) {
      encoded[kept + 1] = endId;
    }
    return Ints.wrap(encoded);
  }

  /** The texts of the pieces, for display. */
  List<String> pieces(String text) {
    return tokenIds(text).stream().map(number -> pieces.get(number).text()).toList();
  }

  /** The ids of the likeliest pieces (Viterbi); consecutive unknown characters become one token. */
  List<Integer> tokenIds(String text) {
    String normal = normalize(text);
    int length = normal.length();
    double[] best = new double[length + 1];
    int[] from = new int[length + 1];
    int[] piece = new int[length + 1];
    Arrays.fill(best, 1, length + 1, Double.NEGATIVE_INFINITY);
    for (int at = 0; at < length; at++) {
      boolean known = false;
      int low = 0;
      int high = tokenIdOf.length;
      // Each further letter narrows the range of pieces with this prefix, until it is empty.
      for (int stop = at + 1; stop <= length; stop++) {
        char letter = normal.charAt(stop - 1);
        low = lowerBound(low, high, stop - at - 1, letter);
        high = lowerBound(low, high, stop - at - 1, letter + 1);
        if (low == high) {
          break;
        }
        if (sortedTexts.get(low).length() == stop - at) {
          known |= stop == at + 1;
          int number = tokenIdOf[low];
          relax(best, from, piece, at, stop, number, pieces.get(number).score());
        }
      }
      if (!known) {
        relax(best, from, piece, at, at + 1, unknownId, unknownScore);
      }
    }
    List<Integer> found = new ArrayList<>();
    for (int at = length; at > 0; at = from[at]) {
      if (piece[at] != unknownId || found.isEmpty() || found.getLast() != unknownId) {
        found.add(piece[at]);
      }
    }
    return found.reversed();
  }

  /**
   * The first piece whose letter at {@code depth} is at least this one, among pieces with the same
   * prefix.
   */
  private int lowerBound(int low, int high, int depth, int letter) {
    int from = low;
    int to = high;
    while (from < to) {
      int middle = (from + to) >>> 1;
      String text = sortedTexts.get(middle);
      int next = depth < text.length() ? text.charAt(depth) : -1;
      if (next < letter) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  private static void relax(
      double[] best, int[] from, int[] piece, int start, int stop, int number, double score) {
    if (best[start] + score > best[stop]) {
      best[stop] = best[start] + score;
      from[stop] = start;
      piece[stop] = number;
    }
  }

  /**
   * The preprocessing of ALBERT, with the JDK's compatibility forms instead of SentencePiece's
   * table.
   */
  static String normalize(String text) {
    String quoted = text.replace("``", "\"").replace("''", "\"");
    String plain = Normalizer.normalize(quoted, Normalizer.Form.NFKD).replaceAll("\\p{M}+", "");
    String lower = plain.toLowerCase(Locale.ROOT).replaceAll("[\\s\\p{Z}\\p{C}]+", " ").strip();
    return lower.isEmpty() ? "" : Piece.BLANK + lower.replace(' ', Piece.BLANK);
  }
}
