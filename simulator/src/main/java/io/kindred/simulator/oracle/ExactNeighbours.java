package io.kindred.simulator.oracle;

import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.ProductMatrix;
import io.kindred.core.weights.ProductMatrix.Change;
import io.kindred.methods.discovery.OwnModel;
import io.kindred.methods.discovery.PeerSearchState;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.protocol.signature.Signature;
import io.kindred.protocol.signature.SignatureScorer;
import io.kindred.simulator.GlobalView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The most similar peers of a peer at one moment, exactly, as {@link SimilarityRanking} finds them.
 * Everything that the answer depends on is taken out of the states at that moment and does not
 * change, so that any thread may compute it later, and by whole vectors for many peers together.
 */
public final class ExactNeighbours {
  private final List<PeerId> others;
  private final int most;

  private ExactNeighbours(SortedMap<PeerId, PeerSearchState> others, int most) {
    this.others = List.copyOf(others.keySet());
    this.most = most;
  }

  /** A peer's neighbours by signature. */
  public static final class BySignature {
    private final ExactNeighbours asked;
    private final Signature own;
    private final List<Signature> signatures;

    private BySignature(PeerSearchState own, SortedMap<PeerId, PeerSearchState> others, int most) {
      asked = new ExactNeighbours(others, most);
      this.own = own.signature().orElseThrow();
      signatures = others.values().stream().map(each -> each.signature().orElseThrow()).toList();
    }

    /** Empty for a peer without a model that a search can find. */
    public static Optional<BySignature> of(PeerId peer, GlobalView view, int most) {
      return SimilarityRanking.searchable(peer, view)
          .map(own -> new BySignature(own, SimilarityRanking.others(peer, view), most));
    }

    /** The most similar peers first, ties by peer. */
    public List<Candidate> compute() {
      return asked.best(new SignatureScorer(own.dimension()).cosines(own, signatures));
    }
  }

  /** A peer's neighbours by whole weight vectors. */
  public static final class ByWeights {
    private final ExactNeighbours asked;
    private final Change own;
    private final List<Change> changes;

    private ByWeights(PeerSearchState own, SortedMap<PeerId, PeerSearchState> others, int most) {
      asked = new ExactNeighbours(others, most);
      this.own = change(own.model());
      changes = others.values().stream().map(each -> change(each.model())).toList();
    }

    private static Change change(OwnModel model) {
      return new Change(model.trained(), model.origin());
    }

    /** Empty for a peer without a model that a search can find. */
    public static Optional<ByWeights> of(PeerId peer, GlobalView view, int most) {
      return SimilarityRanking.searchable(peer, view)
          .map(own -> new ByWeights(own, SimilarityRanking.others(peer, view), most));
    }

    /**
     * The neighbours of several peers, most similar first, ties by peer. Peers that were asked for
     * at about the same time share most models, and each model is read once for all of them.
     */
    public static List<List<Candidate>> compute(List<ByWeights> asked) {
      SortedMap<Digest, Integer> columns = new TreeMap<>();
      List<Change> distinct = new ArrayList<>();
      for (ByWeights each : asked) {
        for (Change change : each.changes) {
          if (columns.putIfAbsent(digest(change), distinct.size()) == null) {
            distinct.add(change);
          }
        }
      }
      double[][] cosines =
          ProductMatrix.cosines(asked.stream().map(each -> each.own).toList(), distinct);
      List<List<Candidate>> answers = new ArrayList<>();
      for (ByWeights each : asked) {
        double[] row = cosines[answers.size()];
        answers.add(
            each.asked.best(
                each.changes.stream()
                    .mapToDouble(change -> row[columns.getOrDefault(digest(change), 0)])
                    .toArray()));
      }
      return answers;
    }

    private static Digest digest(Change change) {
      byte[] weights = change.weights().digest().bytes();
      return change
          .from()
          .map(from -> Digest.of(joined(weights, from.digest().bytes())))
          .orElse(change.weights().digest());
    }

    private static byte[] joined(byte[] one, byte[] other) {
      byte[] joined = Arrays.copyOf(one, one.length + other.length);
      System.arraycopy(other, 0, joined, one.length, other.length);
      return joined;
    }
  }

  private List<Candidate> best(double[] cosines) {
    List<Candidate> all = new ArrayList<>();
    for (PeerId each : others) {
      all.add(new Candidate(each, (float) cosines[all.size()]));
    }
    all.sort(Candidate.BEST_FIRST);
    return List.copyOf(all.subList(0, Math.min(most, all.size())));
  }
}
