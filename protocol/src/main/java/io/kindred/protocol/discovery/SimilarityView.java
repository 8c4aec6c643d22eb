package io.kindred.protocol.discovery;

import io.kindred.core.peer.PeerId;
import io.kindred.core.random.RandomStream;
import io.kindred.protocol.discovery.ViewEntry.Source;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The models that a peer has sketches of, the most similar first. Exchanges choose what is best for
 * the partner, as T-Man (Jelasity, Montresor and Babaoglu, 2009) and Vicinity (Voulgaris and van
 * Steen, 2013) do. Behind the most similar models a reserve keeps others by chance: they connect
 * clusters, and are answers for partners of other kinds.
 */
record SimilarityView(PeerId self, ViewSettings settings) {
  /** Of a message, the share of models that are chosen at random rather than by similarity. */
  private static final int RANDOM_PART = 5;

  /** Ages are at most 10,000 rounds, so they fit above the bits of the scrambled peer. */
  private static final int SCRAMBLE_BITS = 48;

  /** Newest first, then in an order that differs from peer to peer. */
  private long reserveKey(ViewEntry entry) {
    return ((long) entry.age() << SCRAMBLE_BITS)
        | (scramble(self, entry.peer()) >>> (Long.SIZE - SCRAMBLE_BITS));
  }

  /** A key by which each peer orders the others differently. */
  static long scramble(PeerId self, PeerId other) {
    long z = (other.number() + 1) * 0x9e3779b97f4a7c15L ^ (self.number() + 1) * 0xd1342543de82ef95L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    return z ^ (z >>> 31);
  }

  /** All entries a round older, without expired ones, compared with a new own sketch. */
  List<ViewEntry> nextRound(List<ViewEntry> entries, Sketch own) {
    List<ViewEntry> next = new ArrayList<>(entries.size());
    for (ViewEntry each : entries) {
      if (each.age() < settings.expiry()) {
        next.add(
            new ViewEntry(
                each.descriptor(),
                each.age() + 1,
                own.cosine(each.descriptor().sketch()),
                each.source(),
                each.checked(),
                each.votes()));
      }
    }
    return trimmed(next);
  }

  /** Takes a model in; a better source of the same model, or a newer model, replaces the entry. */
  void add(
      List<ViewEntry> entries,
      Descriptor descriptor,
      int age,
      Source source,
      Optional<Descriptor> own) {
    int index = indexOf(entries, descriptor.peer());
    if (index < 0) {
      entries.add(new ViewEntry(descriptor, age, similarity(descriptor, own), source, false, 0));
      return;
    }
    ViewEntry known = entries.get(index);
    boolean newer = descriptor.version() > known.descriptor().version();
    boolean same = descriptor.version() == known.descriptor().version();
    // The owner's own word counts whatever version a relay claimed.
    boolean better = source.compareTo(known.source()) > 0 && (same || source == Source.OWNER);
    if (newer || better) {
      entries.set(
          index,
          new ViewEntry(
              descriptor,
              age,
              similarity(descriptor, own),
              source,
              known.checked(),
              // What was said of the last version is a hint about its owner.
              known.votes() / 2));
    } else if (same && age < known.age()) {
      entries.set(index, known.withAge(age));
    }
  }

  private static float similarity(Descriptor descriptor, Optional<Descriptor> own) {
    return own.isPresent() ? own.get().sketch().cosine(descriptor.sketch()) : 0;
  }

  static int indexOf(List<ViewEntry> entries, PeerId peer) {
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i).peer().number() == peer.number()) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Compares entries with what a partner knows of the same models. The word of the owner is a hop
   * older here than at the partner: without this hop, two peers that count rounds at different
   * moments would give each other the age of before their own round for ever, and a model whose
   * owner is down would never expire.
   */
  void compare(List<ViewEntry> entries, List<KnownModel> known) {
    PeerIndex index = PeerIndex.of(known);
    for (int i = 0; i < entries.size(); i++) {
      ViewEntry entry = entries.get(i);
      int position = index.find(entry.peer());
      if (position >= 0 && known.get(position).version() == entry.descriptor().version()) {
        entries.set(i, entry.compared(known.get(position), settings.checks()));
      }
    }
  }

  /**
   * The most similar entries, then the reserve. Of the most similar, those with a checked owner are
   * kept first up to half of the places, so that false claims cannot push all of them out. Disputed
   * entries are kept in the reserve only, where further partners can settle the dispute.
   */
  List<ViewEntry> trimmed(List<ViewEntry> entries) {
    List<ViewEntry> sorted = new ArrayList<>(entries);
    sorted.sort(ViewEntry.MOST_SIMILAR);
    int reserved = settings.checks() ? settings.size() / 2 : 0;
    List<ViewEntry> nearest = new ArrayList<>();
    List<ViewEntry> others = new ArrayList<>();
    int openPlaces = settings.size() - reserved;
    int checkedLeft = (int) sorted.stream().filter(ViewEntry::checked).limit(reserved).count();
    openPlaces += reserved - checkedLeft;
    for (ViewEntry each : sorted) {
      if (each.checked() && checkedLeft > 0) {
        checkedLeft--;
        nearest.add(each);
      } else if (openPlaces > 0 && !each.isDisputed()) {
        openPlaces--;
        nearest.add(each);
      } else {
        others.add(each);
      }
    }
    nearest.addAll(others.size() > settings.reserve() ? reserve(others) : others);
    return nearest;
  }

  /** The entries that the reserve keeps, still in their order: sorted lists are fast to sort. */
  private List<ViewEntry> reserve(List<ViewEntry> entries) {
    int places = settings.reserve();
    if (places == 0) {
      return List.of();
    }
    long[] keys = new long[entries.size()];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = reserveKey(entries.get(i));
    }
    long[] sorted = keys.clone();
    Arrays.sort(sorted);
    long last = sorted[places - 1];
    List<ViewEntry> kept = new ArrayList<>(places);
    for (int i = 0; i < keys.length && kept.size() < places; i++) {
      if (keys[i] <= last) {
        kept.add(entries.get(i));
      }
    }
    return kept;
  }

  /**
   * The models that are best for a partner and new to it; with a partner that has no model yet,
   * random ones.
   */
  List<AdvertisedModel> best(
      List<ViewEntry> entries,
      PeerId partner,
      Optional<Sketch> target,
      List<KnownModel> known,
      RandomStream random) {
    PeerIndex index = PeerIndex.of(known);
    List<ViewEntry> unknown = new ArrayList<>();
    for (ViewEntry each : entries) {
      int position = index.find(each.peer());
      boolean isKnown =
          position >= 0 && known.get(position).version() >= each.descriptor().version();
      if (!isKnown && !each.isDisputed() && !each.peer().equals(partner)) {
        unknown.add(each);
      }
    }
    int count = Math.min(settings.models(), unknown.size());
    int byChance = target.isEmpty() ? count : Math.min(count, settings.models() / RANDOM_PART);
    List<ViewEntry> chosen = new ArrayList<>();
    if (target.isPresent()) {
      Sketch sketch = target.get();
      List<ViewEntry> ranked = new ArrayList<>(unknown.size());
      for (ViewEntry each : unknown) {
        ranked.add(each.withSimilarity(sketch.cosine(each.descriptor().sketch())));
      }
      ranked.sort(ViewEntry.MOST_SIMILAR);
      chosen.addAll(ranked.subList(0, count - byChance));
      unknown = new ArrayList<>(ranked.subList(count - byChance, ranked.size()));
    }
    for (int i = 0; i < byChance && !unknown.isEmpty(); i++) {
      chosen.add(unknown.remove(random.nextInt(unknown.size())));
    }
    List<AdvertisedModel> models = new ArrayList<>(chosen.size());
    for (ViewEntry each : chosen) {
      models.add(each.advertised());
    }
    return models;
  }

  static List<KnownModel> known(List<ViewEntry> entries) {
    List<KnownModel> known = new ArrayList<>(entries.size());
    for (ViewEntry each : entries) {
      known.add(each.known());
    }
    return known;
  }
}
