package io.kindred.protocol.discovery;

import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.random.RandomStream;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.FindSimilar;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.Similar;
import io.kindred.protocol.overlay.Candidate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Chooses the peers that a method pulls from the peers that the view and the contacts name. */
record PeerChoice(DiscoveryContext context) {
  private static final double BELOW_ALL_COSINES = -2;

  /**
   * A peer that could be chosen.
   *
   * @param key peers with larger keys are chosen first
   */
  private record Option(PeerId peer, float similarity, boolean checked, double key) {
    static final Comparator<Option> FIRST_CHOSEN =
        (one, other) -> {
          int order = Double.compare(other.key, one.key);
          return order != 0 ? order : one.peer.compareTo(other.peer);
        };
  }

  /**
   * Answers with the chosen peers. Owners of which no sketch was checked take a bounded number of
   * places.
   */
  Step<DiscoveryState> similar(DiscoveryState state, FindSimilar find) {
    boolean draws = find.draw().draws();
    List<Option> options = options(state, find.draw());
    if (draws) {
      options = drawn(options, find.draw(), context.random(state.draws()));
    }
    options.sort(Option.FIRST_CHOSEN);
    int unchecked =
        context.settings().checks()
            ? context.settings().uncheckedLimit(find.wanted())
            : find.wanted();
    List<Candidate> chosen = new ArrayList<>();
    for (Option each : options) {
      if (chosen.size() < find.wanted() && (each.checked() || unchecked > 0)) {
        unchecked -= each.checked() ? 0 : 1;
        chosen.add(new Candidate(each.peer(), each.similarity()));
      }
    }
    chosen.sort(Candidate.BEST_FIRST);
    return Step.of(
        draws ? DiscoveryStateBuilder.from(state).draws(state.draws() + 1).build() : state,
        new Effect.Notify(Component.METHOD, new Similar(find.number(), chosen)));
  }

  /**
   * The options with the keys of a draw, without the peers that it leaves out. Only checked owners
   * are the measure for others, because unchecked ones can claim any similarity.
   */
  private static List<Option> drawn(
      List<Option> options, SimilarityDraw draw, RandomStream random) {
    double[] similarities = similarities(options.stream());
    double least =
        draw.leastSimilarity(similarities, similarities(options.stream().filter(Option::checked)));
    double[] keys = draw.keys(similarities, random);
    List<Option> drawn = new ArrayList<>();
    for (int i = 0; i < keys.length; i++) {
      Option each = options.get(i);
      if (each.similarity() >= least) {
        drawn.add(new Option(each.peer(), each.similarity(), each.checked(), keys[i]));
      }
    }
    return drawn;
  }

  private static double[] similarities(Stream<Option> options) {
    return options.mapToDouble(Option::similarity).toArray();
  }

  /**
   * Entries of the view, then contacts without a known model. A draw counts such a contact as one
   * of mean similarity; otherwise contacts fill the places that the view leaves.
   */
  private List<Option> options(DiscoveryState state, SimilarityDraw draw) {
    TrustRules trust = new TrustRules(context);
    List<Option> options = new ArrayList<>();
    double sum = 0;
    EntryTable entries = state.table();
    for (int i = 0; i < entries.size(); i++) {
      PeerId peer = entries.descriptor(i).peer();
      boolean usable = entries.isChecked(i) || !entries.isDisputed(i);
      if (usable && !trust.isExcluded(state, peer)) {
        float similarity = draw.similarity(peer, entries.similarity(i));
        sum += similarity;
        options.add(new Option(peer, similarity, entries.isChecked(i), similarity));
      }
    }
    float mean = draw.draws() && !options.isEmpty() ? (float) (sum / options.size()) : 0;
    for (int i = 0; i < state.contacts().size(); i++) {
      Contact each = state.contacts().get(i);
      boolean listed = entries.find(each.peer()) >= 0;
      if (!listed && !trust.isExcluded(state, each.peer())) {
        float similarity = draw.similarity(each.peer(), mean);
        options.add(new Option(each.peer(), similarity, false, BELOW_ALL_COSINES - i));
      }
    }
    return options;
  }
}
