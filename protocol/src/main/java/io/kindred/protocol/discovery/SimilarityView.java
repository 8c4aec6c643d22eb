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
  private long reserveKey(int age, long peer) {
    return ((long) age << SCRAMBLE_BITS)
        | (scramble(self.number(), peer) >>> (Long.SIZE - SCRAMBLE_BITS));
  }

  /** A key by which each peer orders the others differently. */
  static long scramble(PeerId self, PeerId other) {
    return scramble(self.number(), other.number());
  }

  private static long scramble(long self, long other) {
    long z = (other + 1) * 0x9e3779b97f4a7c15L ^ (self + 1) * 0xd1342543de82ef95L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    return z ^ (z >>> 31);
  }

  /**
   * All entries a round older, without expired ones, compared with a new own sketch. A sketch that
   * equals the last one has the same cosines.
   */
  ViewEntries nextRound(EntryTable entries, Optional<Descriptor> before, Sketch own) {
    boolean same = before.isPresent() && before.get().sketch().equals(own);
    EntryTable next = entries.copy(0);
    for (int i = next.size() - 1; i >= 0; i--) {
      int age = next.age(i);
      if (age >= settings.expiry()) {
        next.remove(i);
        continue;
      }
      next.setAge(i, age + 1);
      if (!same) {
        next.setSimilarity(i, own.cosine(next.sketch(i)));
      }
    }
    return trimmed(next);
  }

  /** Takes a model in; a better source of the same model, or a newer model, replaces the entry. */
  void add(
      EntryTable entries, Descriptor descriptor, int age, Source source, Optional<Descriptor> own) {
    int index = entries.find(descriptor.peer());
    if (index < 0) {
      entries.add(descriptor, age, similarity(descriptor, own), source);
      return;
    }
    long known = entries.descriptor(index).version();
    boolean newer = descriptor.version() > known;
    boolean same = descriptor.version() == known;
    // The owner's own word counts whatever version a relay claimed.
    boolean better =
        source.compareTo(entries.source(index)) > 0 && (same || source == Source.OWNER);
    if (newer || better) {
      entries.replace(index, descriptor, age, similarity(descriptor, own), source);
    } else if (same && age < entries.age(index)) {
      entries.setAge(index, age);
    }
  }

  private static float similarity(Descriptor descriptor, Optional<Descriptor> own) {
    return own.isPresent() ? own.get().sketch().cosine(descriptor.sketch()) : 0;
  }

  /**
   * Compares entries with what a partner knows of the same models. The word of the owner is a hop
   * older here than at the partner: without this hop, two peers that count rounds at different
   * moments would give each other the age of before their own round for ever, and a model whose
   * owner is down would never expire.
   */
  void compare(EntryTable entries, PeerIndex index) {
    KnownModels known = index.known();
    for (int i = 0; i < entries.size(); i++) {
      int position = index.find(entries.peer(i));
      if (position >= 0 && known.version(position) == entries.descriptor(i).version()) {
        entries.setAge(i, Math.min(entries.age(i), known.age(position) + 1));
        if (settings.checks()) {
          entries.vote(i, known.fingerprint(position) == entries.sketch(i).fingerprint());
        }
      }
    }
  }

  /**
   * The most similar entries, then the reserve. Of the most similar, those with a checked owner are
   * kept first up to half of the places, so that false claims cannot push all of them out. Disputed
   * entries are kept in the reserve only, where further partners can settle the dispute.
   */
  ViewEntries trimmed(EntryTable entries) {
    int size = entries.size();
    int[] order = SimilarityOrder.of(entries);
    int reserved = settings.checks() ? settings.size() / 2 : 0;
    int checkedLeft = Math.min(reserved, checked(entries));
    int openPlaces = settings.size() - checkedLeft;
    int[] kept = new int[size];
    int[] others = new int[size];
    int nearest = 0;
    int left = 0;
    for (int each : order) {
      if (entries.isChecked(each) && checkedLeft > 0) {
        checkedLeft--;
        kept[nearest++] = each;
      } else if (openPlaces > 0 && !entries.isDisputed(each)) {
        openPlaces--;
        kept[nearest++] = each;
      } else {
        others[left++] = each;
      }
    }
    int count = nearest + reserve(entries, others, left);
    System.arraycopy(others, 0, kept, nearest, count - nearest);
    return new ViewEntries(entries.selected(kept, count), true);
  }

  private static int checked(EntryTable entries) {
    int checked = 0;
    for (int i = 0; i < entries.size(); i++) {
      checked += entries.isChecked(i) ? 1 : 0;
    }
    return checked;
  }

  /**
   * Moves the entries that the reserve keeps to the front, still in their order; returns how many.
   */
  private int reserve(EntryTable entries, int[] others, int count) {
    int places = settings.reserve();
    if (count <= places) {
      return count;
    }
    if (places == 0) {
      return 0;
    }
    long[] keys = new long[count];
    for (int i = 0; i < count; i++) {
      keys[i] = reserveKey(entries.age(others[i]), entries.peer(others[i]));
    }
    long[] sorted = keys.clone();
    Arrays.sort(sorted);
    long last = sorted[places - 1];
    int kept = 0;
    for (int i = 0; i < count && kept < places; i++) {
      if (keys[i] <= last) {
        others[kept++] = others[i];
      }
    }
    return kept;
  }

  /**
   * The models that are best for a partner and new to it; with a partner that has no model yet,
   * random ones.
   */
  List<AdvertisedModel> best(
      EntryTable entries,
      PeerId partner,
      Optional<Sketch> target,
      PeerIndex index,
      RandomStream random) {
    int[] unknown = unknown(entries, partner, index);
    int count = Math.min(settings.models(), unknown.length);
    int byChance = target.isEmpty() ? count : Math.min(count, settings.models() / RANDOM_PART);
    List<AdvertisedModel> models = new ArrayList<>(count);
    int[] ranked = target.isEmpty() ? unknown : ranked(entries, unknown, target.get());
    for (int i = 0; i < count - byChance; i++) {
      models.add(entries.advertised(ranked[i]));
    }
    int left = ranked.length - (count - byChance);
    for (int i = 0; i < byChance; i++) {
      int at = count - byChance + random.nextInt(left--);
      models.add(entries.advertised(ranked[at]));
      // The rest keeps its order.
      System.arraycopy(ranked, at + 1, ranked, at, ranked.length - at - 1);
    }
    return models;
  }

  /** The positions of undisputed entries that the partner does not know, in their order. */
  private static int[] unknown(EntryTable entries, PeerId partner, PeerIndex index) {
    int[] unknown = new int[entries.size()];
    int count = 0;
    for (int i = 0; i < entries.size(); i++) {
      long peer = entries.peer(i);
      int position = index.find(peer);
      boolean isKnown =
          position >= 0 && index.known().version(position) >= entries.descriptor(i).version();
      if (!isKnown && !entries.isDisputed(i) && peer != partner.number()) {
        unknown[count++] = i;
      }
    }
    return Arrays.copyOf(unknown, count);
  }

  private static int[] ranked(EntryTable entries, int[] positions, Sketch target) {
    SimilarityOrder order = new SimilarityOrder(entries, positions.length);
    for (int each : positions) {
      order.add(each, target.cosine(entries.sketch(each)));
    }
    return order.sorted();
  }
}
