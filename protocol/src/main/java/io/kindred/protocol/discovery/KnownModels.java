package io.kindred.protocol.discovery;

import io.kindred.core.peer.PeerId;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/**
 * The known models that a message lists: an unchangeable list in flat arrays, because each message
 * carries a hundred of them.
 */
final class KnownModels extends AbstractList<KnownModel> implements RandomAccess {
  private final long[] peers;
  private final long[] versions;
  private final int[] ages;
  private final long[] fingerprints;

  /** Takes the arrays over; they must not change any more. */
  KnownModels(long[] peers, long[] versions, int[] ages, long[] fingerprints) {
    this.peers = peers;
    this.versions = versions;
    this.ages = ages;
    this.fingerprints = fingerprints;
  }

  /** The same list, copied unless it cannot change. */
  static KnownModels copyOf(List<KnownModel> known) {
    if (known instanceof KnownModels same) {
      return same;
    }
    int size = known.size();
    KnownModels copy =
        new KnownModels(new long[size], new long[size], new int[size], new long[size]);
    for (int i = 0; i < size; i++) {
      KnownModel each = known.get(i);
      copy.peers[i] = each.peer().number();
      copy.versions[i] = each.version();
      copy.ages[i] = each.age();
      copy.fingerprints[i] = each.fingerprint();
    }
    return copy;
  }

  @Override
  public KnownModel get(int index) {
    return new KnownModel(
        new PeerId(peers[index]), versions[index], ages[index], fingerprints[index]);
  }

  @Override
  public int size() {
    return peers.length;
  }

  long peer(int index) {
    return peers[index];
  }

  long version(int index) {
    return versions[index];
  }

  int age(int index) {
    return ages[index];
  }

  /** Whether all ages are zero to the given number of rounds. */
  boolean haveAges(int most) {
    for (int age : ages) {
      if (age < 0 || age > most) {
        return false;
      }
    }
    return true;
  }

  long fingerprint(int index) {
    return fingerprints[index];
  }
}
