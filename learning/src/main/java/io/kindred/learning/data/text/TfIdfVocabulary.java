package io.kindred.learning.data.text;

import io.kindred.learning.data.WordWeight;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The words that describe texts, each with its weight. A word's weight in a text is (1 + ln count)
 * * (1 + ln((1 + texts) / (1 + texts with the word))), normalized to length one for each text
 * (Salton and Buckley, 1988, with the smoothing that keeps rare words finite). Words and weights
 * come from training texts alone.
 */
final class TfIdfVocabulary {
  private static final int SHORTEST = 2;
  private static final int LONGEST = 30;

  private final SortedMap<String, Integer> columns;
  private final double[] weights;

  private TfIdfVocabulary(SortedMap<String, Integer> columns, double[] weights) {
    this.columns = columns;
    this.weights = weights;
  }

  /**
   * The words that occur in most texts, ties by alphabet. A word of a single text, or of more than
   * half of all texts, does not distinguish texts and is left out.
   */
  static TfIdfVocabulary fit(List<String> texts, int most) {
    SortedMap<String, Integer> spread = new TreeMap<>();
    for (String text : texts) {
      for (String word : wordCounts(text).keySet()) {
        spread.merge(word, 1, Integer::sum);
      }
    }
    List<Map.Entry<String, Integer>> chosen =
        spread.entrySet().stream()
            .filter(entry -> entry.getValue() > 1 && entry.getValue() <= (texts.size() + 1) / 2)
            .sorted(
                Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                    .thenComparing(Map.Entry.comparingByKey()))
            .limit(most)
            .sorted(Map.Entry.comparingByKey())
            .toList();
    SortedMap<String, Integer> columns = new TreeMap<>();
    double[] weights = new double[chosen.size()];
    for (int i = 0; i < weights.length; i++) {
      columns.put(chosen.get(i).getKey(), i);
      weights[i] = 1 + StrictMath.log((1.0 + texts.size()) / (1.0 + chosen.get(i).getValue()));
    }
    return new TfIdfVocabulary(columns, weights);
  }

  /** Words that were counted before, in the order of their columns. */
  static TfIdfVocabulary of(List<WordWeight> words) {
    SortedMap<String, Integer> columns = new TreeMap<>();
    double[] weights = new double[words.size()];
    for (int i = 0; i < weights.length; i++) {
      columns.put(words.get(i).word(), i);
      weights[i] = words.get(i).weight();
    }
    return new TfIdfVocabulary(columns, weights);
  }

  /** The words in the order of their columns. */
  List<WordWeight> words() {
    WordWeight[] words = new WordWeight[weights.length];
    columns.forEach((word, column) -> words[column] = new WordWeight(word, weights[column]));
    return List.of(words);
  }

  int size() {
    return weights.length;
  }

  /** The row of a text, of the given norm; a text without any of the words is all zeros. */
  SparseFeatures.Row row(String text, double length) {
    List<Integer> at = new ArrayList<>();
    List<Double> values = new ArrayList<>();
    double squares = 0;
    for (Map.Entry<String, Integer> entry : wordCounts(text).entrySet()) {
      Integer column = columns.get(entry.getKey());
      if (column != null) {
        double value = (1 + StrictMath.log(entry.getValue())) * weights[column];
        at.add(column);
        values.add(value);
        squares += value * value;
      }
    }
    int[] rowColumns = new int[at.size()];
    float[] rowValues = new float[at.size()];
    for (int i = 0; i < rowColumns.length; i++) {
      rowColumns[i] = at.get(i);
      rowValues[i] = (float) (length * values.get(i) / Math.sqrt(squares));
    }
    return new SparseFeatures.Row(rowColumns, rowValues);
  }

  /**
   * The number of occurrences of each word; a word is a run of letters and digits, in lower case.
   */
  static SortedMap<String, Integer> wordCounts(String text) {
    SortedMap<String, Integer> counts = new TreeMap<>();
    StringBuilder word = new StringBuilder();
    for (int i = 0; i <= text.length(); i++) {
      char c = i < text.length() ? text.charAt(i) : ' ';
      if (Character.isLetterOrDigit(c)) {
        word.append(Character.toLowerCase(c));
      } else if (!word.isEmpty()) {
        if (word.length() >= SHORTEST && word.length() <= LONGEST) {
          counts.merge(word.toString(), 1, Integer::sum);
        }
        word.setLength(0);
      }
    }
    return counts;
  }
}
