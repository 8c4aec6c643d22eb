package io.kindred.report.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Accuracy of every peer by stage and round, kept as plain floats: a thousand peers over a hundred
 * rounds take half a megabyte a stage.
 */
public final class Evaluations {
  /** Error on the common test set, for models that estimate positions and directions. */
  public static final String MILLIMETRES = "globalMillimetres";

  public static final String DEGREES = "globalDegrees";

  /** Share of the mixed weight of other peers that belongs to the own planted group. */
  public static final String PURITY = "purity";

  private static final Set<String> TRACKED = Set.of(MILLIMETRES, DEGREES, PURITY);

  private final Map<Stage, SortedMap<Integer, float[]>> accuracies = new EnumMap<>(Stage.class);
  private final Map<Stage, SortedMap<Integer, float[]>> common = new EnumMap<>(Stage.class);
  // A peer without test samples reports rounds, too, but no accuracy.
  private final Map<Stage, SortedMap<Integer, BitSet>> reports = new EnumMap<>(Stage.class);
  private final SequencedMap<String, Integer> positions = new LinkedHashMap<>();
  private final Map<String, SortedMap<Integer, Mean>> figures = new TreeMap<>();
  private final Map<String, Integer> samples = new TreeMap<>();

  private record Mean(double sum, int count) {
    Mean plus(Mean other) {
      return new Mean(sum + other.sum, count + other.count);
    }
  }

  /**
   * If a peer has several lines for a round and stage, the first counts, as in {@code rounds.csv}.
   */
  void add(Stage stage, int round, String peer, double accuracy) {
    Integer known = positions.get(peer);
    int position = known == null ? positions.size() : known;
    if (known == null) {
      positions.put(peer, position);
    }
    reports
        .computeIfAbsent(stage, _ -> new TreeMap<>())
        .computeIfAbsent(round, _ -> new BitSet())
        .set(position);
    put(accuracies, stage, round, position, accuracy);
  }

  /** Adds the accuracy of a peer's model on the common test set. */
  void addCommon(Stage stage, int round, String peer, double accuracy) {
    Integer position = positions.get(peer);
    if (position == null) {
      throw new IllegalArgumentException("peer " + peer + " has no accuracy of its own yet");
    }
    put(common, stage, round, position, accuracy);
  }

  private void put(
      Map<Stage, SortedMap<Integer, float[]>> table,
      Stage stage,
      int round,
      int position,
      double accuracy) {
    SortedMap<Integer, float[]> rounds = table.computeIfAbsent(stage, _ -> new TreeMap<>());
    float[] row = rounds.computeIfAbsent(round, _ -> unsetRow(positions.size()));
    if (position >= row.length) {
      float[] longer = unsetRow(Math.max(position + 1, row.length * 2));
      System.arraycopy(row, 0, longer, 0, row.length);
      rounds.put(round, longer);
      row = longer;
    }
    if (Float.isNaN(row[position])) {
      row[position] = (float) accuracy;
    }
  }

  void addSamples(String peer, int count) {
    samples.put(peer, count);
  }

  /** On how many of its own samples a peer's model was last evaluated; empty if not recorded. */
  public OptionalInt samples(String peer) {
    Integer count = samples.get(peer);
    return count == null ? OptionalInt.empty() : OptionalInt.of(count);
  }

  /** Whether a metric is tracked over rounds. */
  static boolean isTracked(String figure) {
    return TRACKED.contains(figure);
  }

  void addFigure(String name, int round, double value) {
    figures
        .computeIfAbsent(name, _ -> new TreeMap<>())
        .merge(round, new Mean(value, 1), Mean::plus);
  }

  /** A tracked metric by round, as mean over peers; empty if it was not measured. */
  public SortedMap<Integer, Double> figure(String name) {
    SortedMap<Integer, Double> means = new TreeMap<>();
    figures
        .getOrDefault(name, new TreeMap<>())
        .forEach((round, mean) -> means.put(round, mean.sum() / mean.count()));
    return means;
  }

  private static float[] unsetRow(int length) {
    float[] row = new float[length];
    Arrays.fill(row, Float.NaN);
    return row;
  }

  /** Rounds evaluated at this stage, in rising order. */
  public List<Integer> rounds(Stage stage) {
    SortedMap<Integer, float[]> rounds = accuracies.get(stage);
    return rounds == null ? List.of() : List.copyOf(rounds.keySet());
  }

  /** The stage that curves show: mixed if there is any line of it. */
  Stage mainStage() {
    for (Stage stage : Stage.values()) {
      if (lastRound(stage).isPresent()) {
        return stage;
      }
    }
    return Stage.MIXED;
  }

  /** How many peers have any line. */
  int peerCount() {
    return positions.size();
  }

  /** How many peers have a line for this round. */
  int reportCount(Stage stage, int round) {
    BitSet reported = reports.getOrDefault(stage, new TreeMap<>()).get(round);
    return reported == null ? 0 : reported.cardinality();
  }

  /** The last round that each peer has reported, for peers that have reported any. */
  List<Integer> lastRounds(Stage stage) {
    List<Integer> last = new ArrayList<>();
    SortedMap<Integer, BitSet> rounds = reports.getOrDefault(stage, new TreeMap<>());
    for (int position : positions.values()) {
      rounds.entrySet().stream()
          .filter(each -> each.getValue().get(position))
          .mapToInt(Map.Entry::getKey)
          .max()
          .ifPresent(last::add);
    }
    return last;
  }

  /**
   * What an unfinished run has up to a round; a last personal phase counts only when the run is
   * finished.
   */
  Evaluations upTo(int round) {
    Evaluations kept = new Evaluations();
    kept.positions.putAll(positions);
    kept.samples.putAll(samples);
    for (Stage stage : List.of(Stage.MIXED, Stage.TRAINED)) {
      keep(accuracies, stage, round, kept.accuracies);
      keep(common, stage, round, kept.common);
      keep(reports, stage, round, kept.reports);
    }
    figures.forEach((name, rounds) -> kept.figures.put(name, rounds.headMap(round + 1)));
    return kept;
  }

  private static <T> void keep(
      Map<Stage, SortedMap<Integer, T>> from,
      Stage stage,
      int round,
      Map<Stage, SortedMap<Integer, T>> into) {
    SortedMap<Integer, T> kept = from.getOrDefault(stage, new TreeMap<>()).headMap(round + 1);
    if (!kept.isEmpty()) {
      into.put(stage, kept);
    }
  }

  /** The last round evaluated at this stage. */
  public OptionalInt lastRound(Stage stage) {
    List<Integer> rounds = rounds(stage);
    return rounds.isEmpty() ? OptionalInt.empty() : OptionalInt.of(rounds.getLast());
  }

  /** Accuracy by peer, in the order in which peers first appear; empty where not evaluated. */
  public SequencedMap<String, Double> byPeer(Stage stage, int round) {
    return byPeer(accuracies, stage, round);
  }

  /** The same on the common test set; empty where it was not used. */
  public SequencedMap<String, Double> commonByPeer(Stage stage, int round) {
    return byPeer(common, stage, round);
  }

  private SequencedMap<String, Double> byPeer(
      Map<Stage, SortedMap<Integer, float[]>> table, Stage stage, int round) {
    SequencedMap<String, Double> result = new LinkedHashMap<>();
    float[] row = table.getOrDefault(stage, new TreeMap<>()).get(round);
    if (row != null) {
      positions.forEach(
          (peer, position) -> {
            if (position < row.length && !Float.isNaN(row[position])) {
              result.put(peer, shortestDouble(row[position]));
            }
          });
    }
    return result;
  }

  /** Accuracies of all peers; empty where not evaluated. */
  public List<Double> values(Stage stage, int round) {
    return new ArrayList<>(byPeer(stage, round).values());
  }

  /** Widening a float shows digits that were never measured: 0.8 would become 0.800000012. */
  private static double shortestDouble(float value) {
    return Double.parseDouble(Float.toString(value));
  }
}
