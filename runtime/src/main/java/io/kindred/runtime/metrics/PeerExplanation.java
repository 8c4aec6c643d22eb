package io.kindred.runtime.metrics;

import io.kindred.runtime.metrics.MetricLine.MixedLine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Which model a peer deploys and why, and whose models are in it, as far as its method reports it.
 *
 * @param group the group of the peer; empty if it is not known
 * @param rounds how many of its last evaluated rounds the pulled models cover
 * @param choice the model that it deploys, for a method that chooses among several
 * @param losses held-out losses of these models on its own samples
 * @param decisive the scores that decided: differences of the losses from their mean, averaged over
 *     peers
 * @param ownWeight the weight of its own model, mean over these rounds
 * @param purity the share of the weight of other peers that belongs to the own planted group
 * @param models number of pulled models
 * @param dropped how many of them a check dropped
 * @param shortened how many of them a check gave a smaller weight
 * @param pulled the peers that the models came from, the largest weight first
 * @param sentence all this in words
 */
public record PeerExplanation(
    long peer,
    Optional<Integer> group,
    int round,
    int rounds,
    Optional<String> choice,
    SortedMap<String, Double> losses,
    SortedMap<String, Double> decisive,
    Optional<Double> ownWeight,
    Optional<Double> purity,
    int models,
    int dropped,
    int shortened,
    List<PulledWeight> pulled,
    String sentence) {
  /** What a peer of kin can deploy, in the order of the numbers of the figure "choice". */
  static final List<String> CHOICES = List.of("shared", "personal", "alone", "ensemble");

  private static final String SCORE = "score";
  private static final String DECISIVE = "decisive";
  private static final String CHOICE = "choice";
  private static final String OWN_WEIGHT = "ownWeight";
  private static final int MOST_NAMED = 3;
  private static final double WEIGHT_STEPS = 1e6;

  /** The mean weight of a peer's models over the rounds. */
  public record PulledWeight(long peer, double weight) {}

  public PeerExplanation {
    pulled = List.copyOf(pulled);
  }

  /**
   * Explains the newest of a peer's lines; empty if its method reports neither a choice nor mixed
   * models.
   *
   * @param lines in the order of their rounds, not empty
   */
  static Optional<PeerExplanation> of(List<MetricLine> lines, Optional<PeerGroups> groups) {
    MetricLine last = lines.getLast();
    List<MixedLine> mixed =
        lines.stream()
            .flatMap(
                line ->
                    line.mixed() == null ? List.<MixedLine>of().stream() : line.mixed().stream())
            .toList();
    Optional<String> choice = choice(last);
    if (choice.isEmpty() && mixed.isEmpty()) {
      return Optional.empty();
    }
    List<PulledWeight> pulled = pulled(mixed, lines.size());
    PeerExplanation facts =
        new PeerExplanation(
            last.peer(),
            groups.flatMap(each -> each.groupOf(last.peer())),
            last.round(),
            lines.size(),
            choice,
            scores(last, SCORE),
            scores(last, DECISIVE),
            mean(lines, OWN_WEIGHT),
            mean(lines, Recorder.PURITY),
            mixed.size(),
            count(mixed, "dropped"),
            count(mixed, "shortened"),
            pulled,
            "");
    return Optional.of(facts.withSentence());
  }

  private PeerExplanation withSentence() {
    return new PeerExplanation(
        peer, group, round, rounds, choice, losses, decisive, ownWeight, purity, models, dropped,
        shortened, pulled, words());
  }

  private static Optional<String> choice(MetricLine line) {
    return Optional.ofNullable(line.extra().get(CHOICE))
        .map(number -> CHOICES.get(number.intValue()));
  }

  private static SortedMap<String, Double> scores(MetricLine line, String prefix) {
    SortedMap<String, Double> scores = new TreeMap<>();
    for (String name : CHOICES) {
      Double score = line.extra().get(prefix + titleCase(name));
      if (score != null) {
        scores.put(name, score);
      }
    }
    return scores;
  }

  private static String titleCase(String name) {
    return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
  }

  private static Optional<Double> mean(List<MetricLine> lines, String figure) {
    double[] values =
        lines.stream()
            .filter(line -> line.extra().containsKey(figure))
            .mapToDouble(line -> line.extra().get(figure))
            .toArray();
    double sum = 0;
    for (double each : values) {
      sum += each;
    }
    return values.length == 0 ? Optional.empty() : Optional.of(rounded(sum / values.length));
  }

  private static double rounded(double weight) {
    return Math.rint(weight * WEIGHT_STEPS) / WEIGHT_STEPS;
  }

  private static int count(List<MixedLine> mixed, String guard) {
    return (int) mixed.stream().filter(each -> guard.equals(each.guard())).count();
  }

  private static List<PulledWeight> pulled(List<MixedLine> mixed, int rounds) {
    SortedMap<Long, Double> weights = new TreeMap<>();
    mixed.forEach(each -> weights.merge(each.peer(), each.weight() / rounds, Double::sum));
    return weights.entrySet().stream()
        .map(each -> new PulledWeight(each.getKey(), rounded(each.getValue())))
        .filter(each -> each.weight() > 0)
        .sorted(
            Comparator.comparingDouble(PulledWeight::weight)
                .reversed()
                .thenComparingLong(PulledWeight::peer))
        .toList();
  }

  private String words() {
    List<String> parts = new ArrayList<>();
    choice.ifPresent(deployed -> parts.add("deploys " + modelOf(deployed) + reason(deployed)));
    parts.add(learned());
    purity.ifPresent(
        share ->
            parts.add(
                String.format(
                    Locale.ROOT, "%.0f %% of the pulled weight is of its group", share * 100)));
    if (dropped > 0 || shortened > 0) {
      parts.add(
          "the guard dropped "
              + dropped
              + " and shortened "
              + shortened
              + " of "
              + models
              + " models");
    }
    return String.join("; ", parts);
  }

  private static String modelOf(String deployed) {
    return switch (deployed) {
      case "alone" -> "the model that it trained alone";
      case "ensemble" -> "the ensemble of its models";
      default -> "its " + deployed + " model";
    };
  }

  private String reason(String deployed) {
    Double own = losses.get(deployed);
    if (own == null) {
      return decisive.isEmpty()
          ? ""
          : ", which has the smallest loss on the held-out samples of the peers that it pulled";
    }
    String against =
        CHOICES.stream()
            .filter(each -> losses.containsKey(each) && !each.equals(deployed))
            .map(each -> number(losses.getOrDefault(each, Double.NaN)) + " " + each)
            .collect(Collectors.joining(", "));
    boolean bestForItself = losses.values().stream().allMatch(each -> own <= each);
    String measured = "held-out loss " + number(own) + " against " + against;
    return bestForItself || decisive.isEmpty()
        ? ": " + measured
        : ", which is the best on the held-out samples of all peers around it; its own " + measured;
  }

  private static String number(double loss) {
    return String.format(Locale.ROOT, "%.2f", loss);
  }

  private String learned() {
    String covered =
        rounds == 1 ? "in round " + round : "in its last " + rounds + " evaluated rounds";
    if (pulled.isEmpty()) {
      return "mixed in no model of another peer " + covered;
    }
    List<String> named =
        pulled.stream().limit(MOST_NAMED).map(each -> Long.toString(each.peer())).toList();
    return (named.size() == 1 ? "learned from peer " : "learned most from peers ")
        + String.join(", ", named);
  }
}
