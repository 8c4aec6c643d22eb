package io.kindred.studies.discovery;

import io.kindred.core.weights.VectorKernels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** The exact answer: the peers whose whole vectors have the largest cosine to a target. */
final class NearestPeers {
  private static final int[] NONE = {};

  private final PeerVectors vectors;
  private final int[] targets;
  private IntUnaryOperator versions = peer -> 0;
  private final List<SortedMap<Integer, int[]>> members = new ArrayList<>();

  /** For each target and level, the peers of its part, the most similar first. */
  private final int[][][] rankings;

  /** For the given targets, each a peer or a stranger. */
  NearestPeers(PeerVectors vectors, int[] targets) {
    this.vectors = vectors;
    this.targets = targets.clone();
    rankings = new int[targets.length][vectors.levels()][];
    clear();
  }

  private void clear() {
    members.clear();
    for (int level = 0; level < vectors.levels(); level++) {
      members.add(new TreeMap<>());
    }
    for (int[][] levels : rankings) {
      Arrays.fill(levels, NONE);
    }
  }

  /** Models have changed: from now on these versions count. */
  void changed(int[] current) {
    versions = peer -> peer < current.length ? current[peer] : 0;
    clear();
  }

  int target(int index) {
    return targets[index];
  }

  int size() {
    return targets.length;
  }

  /** The nearest of the peers that count, for each target for which the answer is wanted. */
  List<int[]> nearest(IntPredicate asks, IntPredicate counts, int wanted) {
    int[][] found = new int[targets.length][];
    Arrays.fill(found, NONE);
    boolean[] complete = new boolean[targets.length];
    for (int level = 0; level < vectors.levels(); level++) {
      int at = level;
      int[] open =
          IntStream.range(0, targets.length)
              .filter(i -> !complete[i] && asks.test(targets[i]))
              .toArray();
      findMembers(open, level);
      Arrays.stream(open)
          .parallel()
          .forEach(
              i -> {
                found[i] = best(i, at, counts, wanted);
                complete[i] = found[i].length == wanted;
              });
    }
    return List.of(found);
  }

  private int[] best(int index, int level, IntPredicate counts, int wanted) {
    if (rankings[index][level].length == 0) {
      rankings[index][level] = ranked(targets[index], level);
    }
    return Arrays.stream(rankings[index][level]).filter(counts).limit(wanted).toArray();
  }

  /** Lists the peers of the parts that the targets are in, in one pass over all peers. */
  private void findMembers(int[] open, int level) {
    SortedMap<Integer, List<Integer>> missing = new TreeMap<>();
    for (int index : open) {
      int part = part(targets[index], level);
      if (!members.get(level).containsKey(part)) {
        missing.put(part, new ArrayList<>());
      }
    }
    if (missing.isEmpty()) {
      return;
    }
    for (int peer = 0; peer < vectors.size(); peer++) {
      List<Integer> list = missing.get(part(peer, level));
      if (list != null) {
        list.add(peer);
      }
    }
    missing.forEach(
        (part, list) ->
            members.get(level).put(part, list.stream().mapToInt(Integer::intValue).toArray()));
  }

  private int part(int peer, int level) {
    return vectors.part(peer, versions.applyAsInt(peer), level);
  }

  private int[] ranked(int target, int level) {
    record Ranked(int peer, double cosine) {}
    float[] own = vectors.vector(target, versions.applyAsInt(target));
    double norm = norm(own);
    List<Ranked> ranked = new ArrayList<>();
    for (int peer : members.get(level).getOrDefault(part(target, level), NONE)) {
      if (peer != target) {
        float[] other = vectors.vector(peer, versions.applyAsInt(peer));
        double norms = norm * norm(other);
        double product = VectorKernels.dot(own, 0, other, 0, own.length);
        ranked.add(new Ranked(peer, norms == 0 ? 0 : product / norms));
      }
    }
    // A stable sort of peers in ascending order: ties go to the lower peer.
    ranked.sort((one, other) -> Double.compare(other.cosine(), one.cosine()));
    return ranked.stream().mapToInt(Ranked::peer).toArray();
  }

  private static double norm(float[] vector) {
    return Math.sqrt(VectorKernels.dot(vector, 0, vector, 0, vector.length));
  }
}
