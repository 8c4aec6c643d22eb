package io.kindred.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Says below a table how many samples stand behind its differences and whether a difference of two
 * percentage points could be seen at all.
 */
public record DetectableDifferences(List<PairedDifference> pairs) {
  public DetectableDifferences {
    pairs = List.copyOf(pairs);
  }

  /** The number of samples and, where it applies, one warning; nothing without a pair. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    if (!pairs.isEmpty()) {
      lines.add(samples() + detectable());
      warning().ifPresent(text -> lines.add("warning: " + text));
    }
    return lines;
  }

  private String samples() {
    PairedDifference first = pairs.getFirst();
    String peers =
        range(
            pairs.stream().mapToLong(PairedDifference::fewestPeers).min().orElseThrow(),
            pairs.stream().mapToLong(PairedDifference::mostPeers).max().orElseThrow(),
            "peer");
    String count =
        pairs.stream().allMatch(pair -> pair.samples().isPresent())
            ? range(pair -> pair.samples().orElseThrow(), "")
            : "not recorded";
    return first.evaluatedOn()
        + " samples "
        + count
        + " ("
        + peers
        + " x "
        + range(PairedDifference::seeds, "seed")
        + ")";
  }

  private String detectable() {
    List<Double> known = known();
    if (known.isEmpty()) {
      return "";
    }
    boolean oneBest = pairs.stream().map(PairedDifference::best).distinct().count() == 1;
    boolean seeds = pairs.stream().allMatch(pair -> pair.seeds() > 1);
    String least = PairedDifference.points(known.getFirst());
    String most = PairedDifference.points(known.getLast());
    return "; smallest detectable difference from "
        + (oneBest ? pairs.getFirst().best() : "the best")
        + " "
        + (least.equals(most) ? most : least + " to " + most)
        + " points (5% level, 80% power, standard error over "
        + (seeds ? "seeds and the peers of each seed)" : "peers)");
  }

  /** The detectable differences in rising order, without those that are unknown. */
  private List<Double> known() {
    return pairs.stream()
        .map(PairedDifference::detectable)
        .filter(Double::isFinite)
        .sorted()
        .toList();
  }

  /** The warning of the pair with the largest detectable difference, if any pair has one. */
  private Optional<String> warning() {
    // An unknown difference is a NaN, which sorts last.
    return pairs.stream()
        .max(Comparator.comparingDouble(PairedDifference::detectable))
        .flatMap(PairedDifference::warning);
  }

  private String range(ToLongFunction<PairedDifference> measure, String noun) {
    return range(
        pairs.stream().mapToLong(measure).min().orElseThrow(),
        pairs.stream().mapToLong(measure).max().orElseThrow(),
        noun);
  }

  private static String range(long least, long most, String noun) {
    String number = least == most ? Long.toString(most) : least + " to " + most;
    return noun.isEmpty() ? number : number + " " + noun + (most == 1 ? "" : "s");
  }
}
