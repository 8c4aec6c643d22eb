package io.kindred.lab.overlay;

import io.kindred.core.PeerId;
import io.kindred.core.weights.Flat;
import io.kindred.core.weights.Weights;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.protocol.overlay.OverlayNote;
import io.kindred.protocol.signatures.Signature;
import io.kindred.protocol.signatures.SignatureScorer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The signatures of all peers: what a search is measured against.
 *
 * @param least entries that each would need
 * @param models what was signed, where that is at hand
 */
public record Population(List<Signature> signatures, List<Integer> least, List<Weights> models) {
  public Population {
    signatures = List.copyOf(signatures);
    least = List.copyOf(least);
    models = List.copyOf(models);
  }

  public int size() {
    return signatures.size();
  }

  OverlayNote.Signed signed(PeerId peer) {
    int number = (int) peer.number();
    return new OverlayNote.Signed(signatures.get(number), least.get(number));
  }

  /** All others by similarity, the most alike first, ties by peer; at most so many. */
  public List<Candidate> nearest(int peer, int most) {
    Signature own = signatures.get(peer);
    return sorted(peer, new SignatureScorer(own.dimension()).cosines(own, signatures), most);
  }

  /** The same by what was signed: whom nothing but the models themselves would find. */
  List<Candidate> nearestModels(int peer, int most) {
    Weights own = models.get(peer);
    double[] cosines = models.stream().mapToDouble(each -> Flat.cosine(own, each)).toArray();
    return sorted(peer, cosines, most);
  }

  private static List<Candidate> sorted(int peer, double[] cosines, int most) {
    List<Candidate> others = new ArrayList<>();
    for (int i = 0; i < cosines.length; i++) {
      if (i != peer) {
        others.add(new Candidate(new PeerId(i), (float) cosines[i]));
      }
    }
    others.sort(
        Comparator.comparingDouble(Candidate::similarity)
            .reversed()
            .thenComparing(Candidate::peer));
    return List.copyOf(others.subList(0, Math.min(most, others.size())));
  }
}
