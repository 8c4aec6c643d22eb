package io.kindred.protocol.overlay;

import io.kindred.core.peer.Claim;
import io.kindred.core.peer.PeerId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** A peer that a search found, with its similarity to the asking peer. */
public record Candidate(
    @Claim(Claim.Kind.OWNER) PeerId peer, @Claim(Claim.Kind.SIMILARITY) float similarity) {
  /** The most similar first, ties by peer. */
  public static final Comparator<Candidate> BEST_FIRST =
      Comparator.comparingDouble(Candidate::similarity).reversed().thenComparing(Candidate::peer);

  /** The best of two lists, each peer once with the better of its similarities. */
  public static List<Candidate> merge(List<Candidate> one, List<Candidate> other, int most) {
    SortedMap<PeerId, Candidate> distinct = new TreeMap<>();
    for (List<Candidate> list : List.of(one, other)) {
      for (Candidate each : list) {
        distinct.merge(each.peer(), each, (a, b) -> a.similarity() >= b.similarity() ? a : b);
      }
    }
    List<Candidate> best = new ArrayList<>(distinct.values());
    best.sort(BEST_FIRST);
    return List.copyOf(best.subList(0, Math.min(most, best.size())));
  }
}
