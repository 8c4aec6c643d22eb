package io.kindred.protocol.discovery;

import io.kindred.core.peer.PeerId;
import java.util.List;

/**
 * Positions of peers in a list: each message compares two lists of a hundred models. An open hash
 * table in one array, because a binary search took a sixth of the time of a round.
 */
final class PeerIndex {
  /** Position plus one; zero is a free place. At most half of the places are taken. */
  private final int[] places;

  private final List<KnownModel> known;

  private PeerIndex(int[] places, List<KnownModel> known) {
    this.places = places;
    this.known = known;
  }

  static PeerIndex of(List<KnownModel> known) {
    int[] places = new int[Integer.highestOneBit(Math.max(1, known.size())) << 2];
    PeerIndex index = new PeerIndex(places, known);
    for (int i = 0; i < known.size(); i++) {
      int place = index.place(known.get(i).peer());
      // The first position counts if a sender lists a peer twice.
      if (places[place] == 0) {
        places[place] = i + 1;
      }
    }
    return index;
  }

  /** The first position of the peer, or a negative number. */
  int find(PeerId peer) {
    return places[place(peer)] - 1;
  }

  /** The place that the peer has, or the free place that it would take. */
  private int place(PeerId peer) {
    int mask = places.length - 1;
    int place = (int) ((peer.number() * 0x9e3779b97f4a7c15L) >>> 33) & mask;
    while (places[place] != 0 && known.get(places[place] - 1).peer().number() != peer.number()) {
      place = (place + 1) & mask;
    }
    return place;
  }
}
