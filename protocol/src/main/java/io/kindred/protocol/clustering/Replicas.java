package io.kindred.protocol.clustering;

import io.kindred.core.peer.PeerId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Chooses the replicas of a cluster: the peers that hold its descriptor and answer for it. */
public final class Replicas {
  /** A peer and its registered capacity; more is better. */
  public record Candidate(PeerId peer, double capacity) {}

  private static final Comparator<Candidate> BEST_FIRST =
      Comparator.comparingDouble(Candidate::capacity).reversed().thenComparing(Candidate::peer);

  private Replicas() {}

  /**
   * The exemplar, then its cluster by capacity and id, then, where the cluster is smaller than the
   * wanted number, the rest of the zone in the same order: min(wanted, zone) peers, the exemplar
   * even where none is wanted. The cluster is part of the zone.
   */
  public static List<PeerId> choose(
      PeerId exemplar, List<Candidate> cluster, List<Candidate> zone, int wanted) {
    List<PeerId> chosen = new ArrayList<>(List.of(exemplar));
    fill(chosen, cluster, wanted);
    fill(chosen, zone, wanted);
    return List.copyOf(chosen);
  }

  /**
   * The replicas that are still present, in their order, filled up as in {@link #choose}: no
   * replica is replaced without need.
   */
  public static List<PeerId> refill(
      List<PeerId> before, List<Candidate> cluster, List<Candidate> zone, int wanted) {
    Set<PeerId> present = new TreeSet<>();
    zone.forEach(each -> present.add(each.peer()));
    cluster.forEach(each -> present.add(each.peer()));
    List<PeerId> chosen = new ArrayList<>(before.stream().filter(present::contains).toList());
    fill(chosen, cluster, Math.max(1, wanted));
    fill(chosen, zone, Math.max(1, wanted));
    return List.copyOf(chosen);
  }

  private static void fill(List<PeerId> chosen, List<Candidate> from, int wanted) {
    for (Candidate candidate : from.stream().sorted(BEST_FIRST).toList()) {
      if (chosen.size() >= wanted) {
        return;
      }
      if (!chosen.contains(candidate.peer())) {
        chosen.add(candidate.peer());
      }
    }
  }
}
