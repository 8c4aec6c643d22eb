package io.kindred.simulator.oracle;

import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerState;
import io.kindred.core.weights.VectorKernels;
import io.kindred.core.weights.Weights;
import io.kindred.methods.discovery.Oracle;
import io.kindred.methods.discovery.OwnModel;
import io.kindred.methods.discovery.PeerSearchState;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.protocol.signature.Signature;
import io.kindred.protocol.signature.SignatureScorer;
import io.kindred.simulator.GlobalView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Ranks all peers by their similarity to one peer, exactly: by comparing each. Whole vectors are
 * cached for as long as their models do not change.
 */
public final class SimilarityRanking {
  private record Vector(OwnModel model, Weights weights, double norm) {}

  private final SortedMap<PeerId, Vector> deltas = new TreeMap<>();
  private final SortedMap<PeerId, Vector> updates = new TreeMap<>();

  /**
   * The search of a peer, with the model that others find; empty for a peer that does not search.
   */
  public static Optional<PeerSearchState> searchStateOf(PeerState state) {
    return state.layers().stream()
        .filter(PeerSearchState.Holder.class::isInstance)
        .map(PeerSearchState.Holder.class::cast)
        .findFirst()
        .flatMap(PeerSearchState.Holder::searchState);
  }

  /** The state of a peer that has a model which a search can find. */
  static Optional<PeerSearchState> searchable(PeerId peer, GlobalView view) {
    return searchStateOf(view.state(peer)).filter(state -> state.signatureInfo().signedRound() > 0);
  }

  /** All live peers that a search can find, except one. */
  static SortedMap<PeerId, PeerSearchState> others(PeerId peer, GlobalView view) {
    SortedMap<PeerId, PeerSearchState> others = new TreeMap<>();
    for (PeerId each : view.livePeers()) {
      if (!each.equals(peer)) {
        searchable(each, view).ifPresent(state -> others.put(each, state));
      }
    }
    return others;
  }

  /** The most similar peers first, ties by peer. */
  public List<Candidate> nearest(
      PeerId peer, GlobalView view, Oracle.ComparedBy comparedBy, int most) {
    Optional<PeerSearchState> own = searchable(peer, view);
    if (own.isEmpty()) {
      return List.of();
    }
    SortedMap<PeerId, PeerSearchState> others = others(peer, view);
    List<Candidate> all =
        switch (comparedBy) {
          case SIGNATURE, CHANCE -> bySignature(own.get(), others);
          case WEIGHTS, UPDATE -> byVector(peer, own.get(), others, comparedBy);
        };
    all.sort(Candidate.BEST_FIRST);
    return List.copyOf(all.subList(0, Math.min(most, all.size())));
  }

  private static List<Candidate> bySignature(
      PeerSearchState own, SortedMap<PeerId, PeerSearchState> others) {
    Signature signature = own.signature().orElseThrow();
    List<Signature> theirs =
        others.values().stream().map(state -> state.signature().orElseThrow()).toList();
    double[] cosines = new SignatureScorer(signature.dimension()).cosines(signature, theirs);
    List<Candidate> all = new ArrayList<>();
    for (PeerId each : others.keySet()) {
      all.add(new Candidate(each, (float) cosines[all.size()]));
    }
    return all;
  }

  private List<Candidate> byVector(
      PeerId peer,
      PeerSearchState own,
      SortedMap<PeerId, PeerSearchState> others,
      Oracle.ComparedBy comparedBy) {
    Vector mine = vector(peer, own.model(), comparedBy);
    List<Candidate> all = new ArrayList<>();
    for (Map.Entry<PeerId, PeerSearchState> each : others.entrySet()) {
      Vector theirs = vector(each.getKey(), each.getValue().model(), comparedBy);
      double norms = mine.norm() * theirs.norm();
      double cosine = norms == 0 ? 0 : VectorKernels.dot(mine.weights(), theirs.weights()) / norms;
      all.add(new Candidate(each.getKey(), (float) Math.clamp(cosine, -1.0, 1.0)));
    }
    return all;
  }

  @SuppressWarnings("ReferenceEquality") // a state that did not change holds the same model
  private Vector vector(PeerId peer, OwnModel model, Oracle.ComparedBy comparedBy) {
    SortedMap<PeerId, Vector> known = comparedBy == Oracle.ComparedBy.UPDATE ? updates : deltas;
    Vector vector = known.get(peer);
    if (vector == null || vector.model().trained() != model.trained()) {
      Optional<Weights> origin =
          comparedBy == Oracle.ComparedBy.UPDATE ? Optional.of(model.from()) : model.origin();
      Weights weights =
          origin.map(from -> VectorKernels.minus(model.trained(), from)).orElse(model.trained());
      vector = new Vector(model, weights, Math.sqrt(VectorKernels.dot(weights, weights)));
      known.put(peer, vector);
    }
    return vector;
  }
}
