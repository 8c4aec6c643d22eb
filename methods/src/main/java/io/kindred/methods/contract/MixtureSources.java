package io.kindred.methods.contract;

import io.kindred.core.peer.Observation.MixedModel;
import io.kindred.core.peer.Observation.ModelsMixed;
import io.kindred.core.peer.Observation.Weighting;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The models that a peer has received and may mix, to tell whose models a mixture consists of. The
 * observation follows from the mixture itself, so a model that is counted twice is observed twice.
 *
 * @param self the peer that mixes; its own model may be among the sources
 */
public record MixtureSources(PeerId self, List<Source> sources) {
  /**
   * A model that may be mixed.
   *
   * @param round the round in which its owner trained it
   * @param samples number of samples that its owner reports; zero if it reports none
   */
  public record Source(PeerId peer, int round, Weights weights, int samples) {}

  public MixtureSources {
    sources = List.copyOf(sources);
  }

  /**
   * What a mixture mixes. A part that is no source is the peer's own. The own part precedes
   * received ones, and so do own sources; the parts are assigned from the last to the first, each
   * to the last source that is left, and the first part to the first source: a received model that
   * equals the own one bit by bit is still told from it.
   */
  public ModelsMixed observe(int round, int slot, Weighting weighting, Mixture mixture) {
    Map<Digest, Deque<Source>> unused = new TreeMap<>();
    for (Source source : sources) {
      unused.computeIfAbsent(source.weights().digest(), unseen -> new ArrayDeque<>()).add(source);
    }
    Map<Digest, Source> used = new TreeMap<>();
    List<MixedModel> models = new ArrayList<>();
    double own = 0;
    for (int i = mixture.parts().size() - 1; i >= 0; i--) {
      MixturePart part = mixture.parts().get(i);
      Digest digest = part.weights().digest();
      boolean first = i == 0;
      Optional<Source> source =
          Optional.ofNullable(unused.get(digest))
              .map(left -> first ? left.pollFirst() : left.pollLast())
              .or(() -> first ? Optional.empty() : Optional.ofNullable(used.get(digest)));
      if (source.isEmpty() || source.get().peer().equals(self)) {
        own += part.coefficient();
      } else {
        used.put(digest, source.get());
        models.add(
            new MixedModel(
                source.get().peer(),
                source.get().round(),
                part.coefficient(),
                source.get().samples(),
                MixedModel.Treatment.FULL));
      }
    }
    Collections.reverse(models);
    return new ModelsMixed(round, slot, weighting, own, models);
  }
}
