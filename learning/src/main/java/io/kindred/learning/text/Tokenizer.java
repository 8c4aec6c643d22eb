package io.kindred.learning.text;

import io.kindred.core.settings.Complaint;
import io.kindred.core.weights.Ints;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Cuts texts into the likeliest sequence of pieces (Kudo, 2018: the unigram model of
 * SentencePiece), as ALBERT has them: lower case, without accents, blanks pulled together, and a
 * blank before the first word. Where no piece fits, a character is unknown.
 */
public final class Tokenizer {
  /** How much less likely than the rarest piece an unknown character is, as in SentencePiece. */
  private static final double UNKNOWN_PENALTY = 10;

  private static final String PADDING = "<pad>";
  private static final String START = "[CLS]";
  private static final String END = "[SEP]";

  private final List<Piece> pieces;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final int unknown;
  private final double unknownScore;
  private final int longest;

  /**
   * @param pieces by number
   * @throws Complaint when the pieces lack what a text encoder needs
   */
  public Tokenizer(List<Piece> pieces) {
    this.pieces = List.copyOf(pieces);
    int nothing = -1;
    double rarest = 0;
    int length = 1;
    for (int i = 0; i < pieces.size(); i++) {
      Piece piece = pieces.get(i);
      numbers.putIfAbsent(piece.text(), i);
      switch (piece.kind()) {
        case NORMAL -> {
          rarest = Math.min(rarest, piece.score());
          length = Math.max(length, piece.text().length());
        }
        case UNKNOWN -> nothing = i;
        case CONTROL, UNUSED -> {}
      }
    }
    unknown = nothing;
    unknownScore = rarest - UNKNOWN_PENALTY;
    longest = length;
    if (unknown < 0 || numbers.getOrDefault(PADDING, -1) != 0) {
      throw new Complaint(
          "dataset.pieces",
          "the pieces have none for what is unknown, or " + PADDING + " is not the first of them",
          "bring the pieces of an ALBERT model (spiece.model)");
    }
    number(START);
    number(END);
  }

  private int number(String special) {
    Integer number = numbers.get(special);
    if (number == null) {
      throw new Complaint(
          "dataset.pieces",
          "the pieces lack " + special,
          "bring the pieces of an ALBERT model (spiece.model)");
    }
    return number;
  }

  /**
   * Pieces of one's own, learnt by counting: every character of the texts, and their most frequent
   * words, each as likely as it is frequent.
   */
  public static Tokenizer fit(List<String> texts, int size) {
    Map<String, Integer> counts = new HashMap<>();
    for (String text : texts) {
      String normal = normalize(text);
      for (int i = 0; i < normal.length(); i++) {
        counts.merge(normal.substring(i, i + 1), 1, Integer::sum);
      }
      for (String word : normal.split("(?=" + Piece.BLANK + ")")) {
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

  public int size() {
    return pieces.size();
  }

  /** Start, the pieces of the text, end; cut to the length or padded with zeros. */
  public Ints encode(String text, int length) {
    List<Integer> found = numbers(text);
    int[] encoded = new int[length];
    int kept = Math.min(found.size(), Math.max(0, length - 2));
    for (int i = 0; i < kept; i++) {
      encoded[i + 1] = found.get(i);
    }
    if (length > 0) {
      encoded[0] = number(START);
    }
    if (length > 1) {
      encoded[kept + 1] = number(END);
    }
    return Ints.wrap(encoded);
  }

  /** The texts of the pieces, for a person. */
  public List<String> pieces(String text) {
    return numbers(text).stream().map(number -> pieces.get(number).text()).toList();
  }

  /** The numbers of the likeliest pieces (Viterbi); several unknown characters in a row are one. */
  public List<Integer> numbers(String text) {
    String normal = normalize(text);
    int end = normal.length();
    double[] best = new double[end + 1];
    int[] from = new int[end + 1];
    int[] piece = new int[end + 1];
    Arrays.fill(best, 1, end + 1, Double.NEGATIVE_INFINITY);
    for (int start = 0; start < end; start++) {
      int furthest = Math.min(end, start + longest);
      boolean known = false;
      for (int stop = start + 1; stop <= furthest; stop++) {
        Integer number = numbers.get(normal.substring(start, stop));
        if (number != null && pieces.get(number).kind() == Piece.Kind.NORMAL) {
          known |= stop == start + 1;
          reach(best, from, piece, start, stop, number, pieces.get(number).score());
        }
      }
      if (!known) {
        reach(best, from, piece, start, start + 1, unknown, unknownScore);
      }
    }
    List<Integer> found = new ArrayList<>();
    for (int at = end; at > 0; at = from[at]) {
      if (piece[at] != unknown || found.isEmpty() || found.getLast() != unknown) {
        found.add(piece[at]);
      }
    }
    return found.reversed();
  }

  private static void reach(
      double[] best, int[] from, int[] piece, int start, int stop, int number, double score) {
    if (best[start] + score > best[stop]) {
      best[stop] = best[start] + score;
      from[stop] = start;
      piece[stop] = number;
    }
  }

  /** As ALBERT's preparation does, with the JDK's compatibility forms for SentencePiece's table. */
  static String normalize(String text) {
    String quoted = text.replace("``", "\"").replace("''", "\"");
    String plain =
        Normalizer.normalize(quoted, Normalizer.Form.NFKD).replaceAll("\\p{M}+", "");
    String lower = plain.toLowerCase(Locale.ROOT).replaceAll("[\\s\\p{Z}\\p{C}]+", " ").strip();
    return lower.isEmpty() ? "" : Piece.BLANK + lower.replace(' ', Piece.BLANK);
  }
}
