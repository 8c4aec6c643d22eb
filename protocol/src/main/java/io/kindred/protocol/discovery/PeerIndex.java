package io.kindred.protocol.discovery;

import io.kindred.core.peer.PeerId;
import java.util.Arrays;
import java.util.List;

/** Positions of peers in a list: each message compares two lists of a hundred models. */
final class PeerIndex {
  /** Position in the low bits, a part of the peer's number above, in ascending order. */
  private final long[] keys;

  private final List<KnownModel> known;
  private final int bits;

  private PeerIndex(long[] keys, List<KnownModel> known, int bits) {
    this.keys = keys;
    this.known = known;
    this.bits = bits;
  }

  static PeerIndex of(List<KnownModel> known) {
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(known.size());
    long[] keys = new long[known.size()];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = (known.get(i).peer().number() << bits) | i;
    }
    Arrays.sort(keys);
    return new PeerIndex(keys, known, bits);
  }

  /** The first position of the peer, or a negative number. */
  int find(PeerId peer) {
    int from = Arrays.binarySearch(keys, peer.number() << bits);
    for (int i = from < 0 ? -from - 1 : from;
        i < keys.length && keys[i] >>> bits == (peer.number() << bits) >>> bits;
        i++) {
      int position = (int) (keys[i] & ((1L << bits) - 1));
      if (known.get(position).peer().number() == peer.number()) {
        return position;
      }
    }
    return -1;
  }
}
