package io.kindred.protocol.discovery;

import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.ModelPulled;
import io.kindred.protocol.discovery.Distrust.Reason;
import io.kindred.protocol.discovery.ViewEntry.Source;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Compares advertised sketches with pulled models, and keeps false claims out of the view. ({@link
 * ViewEntry#isDisputed} is the cheaper check that needs no pull.)
 *
 * <p>Only a sketch that the owner itself sent for exactly this version can convict the owner; a
 * wrong sketch from a relay proves nothing about the owner. So an honest peer is never accused,
 * provided that it sketches the weights as it sends them, after lossy encoding and noise.
 */
record TrustRules(DiscoveryContext context) {
  /** A bound on memory; the entries that end first are dropped. */
  private static final int MAX_DISTRUSTED = 1024;

  /**
   * Distrust after a lie lasts eight times as long as an entry, and doubles each time: with shorter
   * times a tenth of liars still took a twentieth of the pulls after 60 rounds.
   */
  private static final int FIRST_DOUBLINGS = 3;

  private static final int MAX_DOUBLINGS = 10;

  /** An unreachable peer is forgotten after so many failures, one for each time of expiry. */
  private static final int MAX_TRIES = 64;

  private static final int ROUNDS_BETWEEN_TRIES = 4;

  static final String FALSE_CLAIM = "false-sketch-claim";
  static final String FALSE_RELAY = "false-sketch-relay";

  private ViewSettings settings() {
    return context.settings();
  }

  /** Whether a descriptor may enter the view. */
  boolean accepts(DiscoveryState state, PeerId peer, int age, Source source) {
    for (Distrust each : state.distrusted()) {
      if (each.peer().equals(peer) && state.round() < each.until()) {
        boolean refused =
            switch (each.reason()) {
              case UNREACHABLE -> {
                int failedIn = each.until() - settings().expiry();
                yield source == Source.RELAYED && age >= state.round() - failedIn;
              }
              case FALSE_RELAY -> source == Source.RELAYED;
              case FALSE_CLAIM -> source != Source.COMPUTED;
            };
        if (refused) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Takes note of a pulled model. Its sketch replaces what was advertised, unless a newer model of
   * the owner is known. A newer model that only a relay knows must agree with the pulled one:
   * otherwise an invented version would keep a false sketch in the view.
   */
  Step<DiscoveryState> pulled(DiscoveryState before, ModelPulled pulled) {
    DiscoveryState state = reached(before, pulled.owner());
    EntryTable view = state.table();
    int index = view.find(pulled.owner());
    boolean known = index >= 0;
    boolean same = known && view.descriptor(index).version() == pulled.version();
    boolean judged = settings().checks() && same;
    boolean agrees = known && view.sketch(index).cosine(pulled.sketch()) >= settings().agreement();
    boolean newer =
        known
            && view.descriptor(index).version() > pulled.version()
            && (view.source(index) != Source.RELAYED || agrees);
    if (newer) {
      return Step.of(state);
    }
    DiscoveryState next = state;
    List<Effect> effects = new ArrayList<>();
    if (judged && !agrees) {
      boolean byOwner = view.source(index) == Source.OWNER;
      next = distrust(state, pulled.owner(), byOwner ? Reason.FALSE_CLAIM : Reason.FALSE_RELAY);
      effects.add(
          new Effect.Observe(
              byOwner
                  ? new Observation.Contradicted(FALSE_CLAIM, pulled.owner())
                  : new Observation.Counted(FALSE_RELAY)));
    }
    boolean checked = known && (judged ? agrees : view.isChecked(index));
    return new Step<>(
        DiscoveryStateBuilder.from(next).entries(confirmed(next, pulled, checked)).build(),
        effects);
  }

  /** The view with the pulled model in place of what was known of its owner. */
  private ViewEntries confirmed(DiscoveryState state, ModelPulled pulled, boolean checked) {
    EntryTable view = state.table();
    int index = view.find(pulled.owner());
    boolean accepted = accepts(state, pulled.owner(), 0, Source.COMPUTED);
    // The descriptor of an honest owner is kept: all views of a process share it.
    boolean same =
        index >= 0
            && view.descriptor(index).version() == pulled.version()
            && view.sketch(index).equals(pulled.sketch());
    if (accepted
        && same
        && state.view().isTrimmed()
        && checked == view.isChecked(index)
        && !view.isDisputed(index)) {
      // The entry keeps its place.
      return new ViewEntries(view.confirmed(index), true);
    }
    EntryTable entries = view.copy(1);
    if (index >= 0) {
      entries.remove(index);
    }
    if (accepted) {
      Descriptor computed =
          same
              ? view.descriptor(index)
              : new Descriptor(pulled.owner(), pulled.version(), pulled.sketch());
      float similarity =
          state.own().isPresent() ? state.own().get().sketch().cosine(pulled.sketch()) : 0;
      entries.add(new ViewEntry(computed, 0, similarity, Source.COMPUTED, checked, 0));
    }
    return context.view().trimmed(entries);
  }

  /** The same state with a peer that does not count for a while, longer each time. */
  DiscoveryState distrust(DiscoveryState state, PeerId peer, Reason reason) {
    List<Distrust> distrusted = new ArrayList<>();
    int count = 1;
    for (Distrust each : state.distrusted()) {
      if (each.peer().equals(peer) && each.reason() == reason) {
        count = each.count() + 1;
      } else {
        distrusted.add(each);
      }
    }
    int rounds =
        reason == Reason.UNREACHABLE
            ? settings().expiry()
            : settings().expiry() << Math.min(count - 1 + FIRST_DOUBLINGS, MAX_DOUBLINGS);
    distrusted.add(new Distrust(peer, reason, count, state.round() + rounds));
    if (distrusted.size() > MAX_DISTRUSTED) {
      distrusted.sort((a, b) -> Integer.compare(a.until(), b.until()));
      distrusted.removeFirst();
    }
    return DiscoveryStateBuilder.from(state).distrusted(distrusted).build();
  }

  /** A peer that could not be reached leaves view and contacts until it is heard of again. */
  DiscoveryState unreachable(DiscoveryState state, PeerId peer) {
    DiscoveryState next = distrust(state, peer, Reason.UNREACHABLE);
    EntryTable entries = next.table().copy(0);
    int index = entries.find(peer);
    if (index >= 0) {
      entries.remove(index);
    }
    return DiscoveryStateBuilder.from(next)
        .contacts(PeerSampling.without(next.contacts(), peer))
        .entries(new ViewEntries(entries, false))
        .build();
  }

  /** A message from a peer shows that it can be reached. */
  static DiscoveryState reached(DiscoveryState state, PeerId peer) {
    boolean marked =
        state.distrusted().stream()
            .anyMatch(each -> each.peer().equals(peer) && each.reason() == Reason.UNREACHABLE);
    return marked
        ? DiscoveryStateBuilder.from(state)
            .distrusted(
                state.distrusted().stream()
                    .filter(
                        each -> !each.peer().equals(peer) || each.reason() != Reason.UNREACHABLE)
                    .toList())
            .build()
        : state;
  }

  /**
   * False claims stay known after they ended, so that the next one counts for longer. Unreachable
   * peers stay known until they were tried often enough.
   */
  static List<Distrust> current(List<Distrust> distrusted, int round) {
    return distrusted.stream()
        .filter(
            each ->
                round < each.until()
                    || each.reason() != Reason.UNREACHABLE
                    || each.count() < MAX_TRIES)
        .toList();
  }

  /**
   * The peer that has been unreachable for the longest time, if it is time to try it again: every
   * few rounds, and always without a contact. A network that was divided for longer than contacts
   * last joins again only through peers that the other part has not forgotten.
   */
  Optional<PeerId> lost(DiscoveryState state) {
    boolean due = (state.round() + context.self().number()) % ROUNDS_BETWEEN_TRIES == 0;
    return !due && !state.contacts().isEmpty()
        ? Optional.empty()
        : state.distrusted().stream()
            .filter(each -> each.reason() == Reason.UNREACHABLE && state.round() >= each.until())
            .min(
                Comparator.comparingInt(Distrust::until)
                    .thenComparingLong(
                        each -> SimilarityView.scramble(context.self(), each.peer())))
            .map(Distrust::peer);
  }

  /** Whether the peer sent a false sketch of its own model lately. */
  boolean isExcluded(DiscoveryState state, PeerId peer) {
    return !accepts(state, peer, 0, Source.OWNER);
  }
}
