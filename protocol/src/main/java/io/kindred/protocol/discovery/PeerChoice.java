package io.kindred.protocol.discovery;

import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.FindSimilar;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.Similar;
import io.kindred.protocol.overlay.Candidate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

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
    List<Option> options = options(state, draws);
    if (draws) {
      double[] keys =
          find.draw()
              .keys(
                  options.stream().mapToDouble(Option::similarity).toArray(),
                  context.random(state.draws()));
      for (int i = 0; i < keys.length; i++) {
        Option each = options.get(i);
        options.set(i, new Option(each.peer(), each.similarity(), each.checked(), keys[i]));
      }
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
   * Entries of the view, then contacts without a known model. A draw counts such a contact as one
   * of mean similarity; otherwise contacts fill the places that the view leaves.
   */
  private List<Option> options(DiscoveryState state, boolean draws) {
    TrustRules trust = new TrustRules(context);
    List<Option> options = new ArrayList<>();
    double sum = 0;
    EntryTable entries = state.table();
    for (int i = 0; i < entries.size(); i++) {
      PeerId peer = entries.descriptor(i).peer();
      boolean usable = entries.isChecked(i) || !entries.isDisputed(i);
      if (usable && !trust.isExcluded(state, peer)) {
        float similarity = entries.similarity(i);
        sum += similarity;
        options.add(new Option(peer, similarity, entries.isChecked(i), similarity));
      }
    }
    float mean = draws && !options.isEmpty() ? (float) (sum / options.size()) : 0;
    for (int i = 0; i < state.contacts().size(); i++) {
      Contact each = state.contacts().get(i);
      boolean listed = entries.find(each.peer()) >= 0;
      if (!listed && !trust.isExcluded(state, each.peer())) {
        options.add(new Option(each.peer(), mean, false, BELOW_ALL_COSINES - i));
      }
    }
    return options;
  }
}
