package io.kindred.studies.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.VectorKernels;
import io.kindred.core.weights.Weights;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.protocol.overlay.OverlayLocalMessage;
import io.kindred.protocol.signature.Signature;
import io.kindred.protocol.signature.SignatureScorer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The signatures of all peers, against which searches are measured.
 *
 * @param minimumEntries the minimum number of signature entries of each peer
 * @param models the vectors that were signed, empty if not available
 */
public record PeerSignatures(
    List<Signature> signatures, List<Integer> minimumEntries, List<Weights> models) {
  public PeerSignatures {
    signatures = List.copyOf(signatures);
    minimumEntries = List.copyOf(minimumEntries);
    models = List.copyOf(models);
  }

  public int size() {
    return signatures.size();
  }

  OverlayLocalMessage.SignatureUpdated signedMessage(PeerId peer) {
    int number = (int) peer.number();
    return new OverlayLocalMessage.SignatureUpdated(
        signatures.get(number), minimumEntries.get(number));
  }

  /** The other peers with the most similar signatures, most similar first, ties by peer. */
  public List<Candidate> nearest(int peer, int most) {
    Signature own = signatures.get(peer);
    return ranked(peer, new SignatureScorer(own.dimension()).cosines(own, signatures), most);
  }

  /** The other peers with the most similar models: the exact answer, independent of signatures. */
  List<Candidate> nearestByModel(int peer, int most) {
    Weights own = models.get(peer);
    double[] cosines =
        models.stream().mapToDouble(each -> VectorKernels.cosine(own, each)).toArray();
    return ranked(peer, cosines, most);
  }

  private static List<Candidate> ranked(int peer, double[] cosines, int most) {
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
