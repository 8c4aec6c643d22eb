package io.kindred.report.run;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One run, as read from its folder.
 *
 * @param folder the run folder as it was named
 * @param configuration text of {@code config.yaml}, empty if missing
 * @param settings the configuration by path; empty if it is missing or not YAML
 * @param summary {@code summary.json}; empty while the run is unfinished
 * @param finished whether there is a summary
 * @param progress how far an unfinished run has come; rounds and evaluations end there. Empty for a
 *     finished run and for one without metrics
 * @param rounds lines of {@code rounds.csv}, or rows computed from the metrics if it is missing
 * @param evaluations accuracy by peer from {@code metrics.jsonl}
 * @param artifacts partition, model similarity, overlay hierarchy and explanations, as far as the
 *     folder has them
 * @param notes what was left out while reading, one sentence each
 */
public record RunRecord(
    Path folder,
    String configuration,
    FlatDocument settings,
    FlatDocument summary,
    boolean finished,
    Optional<RunProgress> progress,
    List<RoundRow> rounds,
    Evaluations evaluations,
    RunArtifacts artifacts,
    List<String> notes) {

  public RunRecord {
    rounds = List.copyOf(rounds);
    notes = List.copyOf(notes);
  }

  /**
   * A fact from the summary, else from the settings, where it is a plain value or a choice's name.
   */
  public String fact(String key) {
    for (String found :
        List.of(summary.text(key), settings.text(key), settings.text(key + ".name"))) {
      if (!found.isEmpty()) {
        return found;
      }
    }
    return "";
  }

  /** The method's name, or the folder's name if the run does not name a method. */
  public String method() {
    String name = fact("method");
    Path last = folder.getFileName();
    return !name.isEmpty() ? name : last == null ? folder.toString() : last.toString();
  }

  /** The seed as text, empty where unknown. */
  public String seed() {
    return fact("seed");
  }

  /** Which of a peer's own samples its models were evaluated on. */
  public String evaluatedOn() {
    return switch (settings.text("evaluation.on")) {
      case "validation" -> "validation";
      case "train" -> "training";
      default -> "test";
    };
  }

  /**
   * Number of peers: from the summary or settings, else counted in the evaluations; NaN if unknown.
   */
  public double peers() {
    double stated = summary.number("peers");
    if (!Double.isNaN(stated)) {
      return stated;
    }
    double asked = settings.number("peers");
    OptionalInt last = evaluations.lastRound(mainStage());
    return Double.isFinite(asked) || last.isEmpty()
        ? asked
        : evaluations.byPeer(mainStage(), last.getAsInt()).size();
  }

  /** The stage that curves show: mixed if the run has it. */
  public Stage mainStage() {
    for (Stage stage : Stage.values()) {
      if (rounds.stream().anyMatch(row -> row.stage() == stage)
          || evaluations.lastRound(stage).isPresent()) {
        return stage;
      }
    }
    return Stage.MIXED;
  }

  /** Rows of one stage in file order. */
  public List<RoundRow> rows(Stage stage) {
    return rounds.stream().filter(row -> row.stage() == stage).toList();
  }

  /** Accuracy on the common test set by round, where it was measured. */
  public SortedMap<Integer, Double> globalAccuracies() {
    SortedMap<Integer, Double> accuracies = new TreeMap<>();
    for (RoundRow row : rows(mainStage())) {
      if (Double.isFinite(row.globalMean())) {
        accuracies.put(row.round(), row.globalMean());
      }
    }
    return accuracies;
  }

  /** Final accuracy by peer: after a final phase if there is one, else at the last round. */
  public SequencedMap<String, Double> lastByPeer() {
    Stage stage = evaluations.lastRound(Stage.FINAL).isPresent() ? Stage.FINAL : mainStage();
    return evaluations.byPeer(stage, evaluations.lastRound(stage).orElse(-1));
  }

  /**
   * Accuracy by peer, as the mean over the last evaluated rounds of the main stage; only peers that
   * were evaluated in all of them.
   *
   * @param common on the common test set in place of the peer's own samples
   */
  public SequencedMap<String, Double> meanByPeer(int lastRounds, boolean common) {
    List<Integer> all = evaluations.rounds(mainStage());
    List<Integer> last = all.subList(Math.max(0, all.size() - lastRounds), all.size());
    SequencedMap<String, Double> sums = new LinkedHashMap<>();
    for (int round : last) {
      SequencedMap<String, Double> accuracies =
          common
              ? evaluations.commonByPeer(mainStage(), round)
              : evaluations.byPeer(mainStage(), round);
      if (round == last.getFirst()) {
        sums.putAll(accuracies);
      } else {
        sums.keySet().retainAll(accuracies.keySet());
        sums.replaceAll((peer, sum) -> sum + accuracies.getOrDefault(peer, Double.NaN));
      }
    }
    sums.replaceAll((peer, sum) -> sum / last.size());
    return sums;
  }

  /** The last round that has any row, zero where there is none. */
  public int lastRound() {
    return rounds.stream().mapToInt(RoundRow::round).max().orElse(0);
  }

  /** Number of rounds that totals cover; NaN if there are none. */
  public double roundCount() {
    double stated = summary.number("rounds");
    return Double.isFinite(stated) ? stated : lastRound() > 0 ? lastRound() : Double.NaN;
  }

  /** Mean accuracies for which the run itself reports the round. */
  public List<Double> reportedTargets() {
    return summary.numbersUnder("roundsToTarget").keySet().stream()
        .filter(key -> key.matches("\\d+\\.\\d+"))
        .map(Double::valueOf)
        .toList();
  }

  /** The first evaluated round whose mean reaches the target; NaN if no round does. */
  public double roundsToTarget(double target) {
    return firstRowReaching(target).map(row -> (double) row.round()).orElse(Double.NaN);
  }

  /** Virtual seconds until the end of the first round that reaches the target. */
  public double secondsToTarget(double target) {
    return firstRowReaching(target).map(RoundRow::virtualSeconds).orElse(Double.NaN);
  }

  private Optional<RoundRow> firstRowReaching(double target) {
    return rows(mainStage()).stream().filter(row -> row.mean() >= target).findFirst();
  }

  /** The command that repeats this run. */
  public String command() {
    String file = folder.resolve("config.yaml").toString().replace('\\', '/');
    boolean plain = file.matches("[\\p{Alnum}_@%+=:,./~-]+");
    return "./kindred run " + (plain ? file : "'" + file.replace("'", "'\\''") + "'");
  }
}
