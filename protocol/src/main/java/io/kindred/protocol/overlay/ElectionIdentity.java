package io.kindred.protocol.overlay;

import io.kindred.core.weights.Digest;
import io.kindred.protocol.vrf.Epoch;
import io.kindred.protocol.vrf.VrfSecret;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * The secret, epoch and verifier with which a peer takes part in elections.
 *
 * @param secret draws the scores of this peer
 * @param previousEpoch the epoch whose seed the first scores follow from
 * @param verifier checks the scores of other peers
 */
public record ElectionIdentity(VrfSecret secret, Epoch previousEpoch, ProofVerifier verifier) {
  private static final long SECRET_SALT = 0x6f7665726c6179L;

  /**
   * Identities by peer number, all derived from the seed of one simulated run, whose peers have no
   * secrets from each other; a node draws with its own key. Verified proofs are cached, because all
   * peers of a process check the same proofs.
   */
  public static LongFunction<ElectionIdentity> fromSeed(long seed, long peers) {
    return fromSeed(seed, verifier(seed, peers));
  }

  /** The same with a given verifier. */
  public static LongFunction<ElectionIdentity> fromSeed(long seed, ProofVerifier verifier) {
    Epoch previousEpoch = firstEpoch(seed);
    return peer -> new ElectionIdentity(secret(seed, peer), previousEpoch, verifier);
  }

  /** The epoch before the first one of a network, which all its peers compute from its seed. */
  public static Epoch firstEpoch(long seed) {
    return Epoch.zero(Digest.of(seedBytes(seed, -1)));
  }

  /** A caching verifier for the keys that are derived from a run's seed. */
  public static ProofVerifier verifier(long seed, long peers) {
    return ProofVerifier.caching(
        ProofVerifier.uncached(
            peer ->
                peer.number() < 0 || peer.number() >= peers
                    ? Optional.empty()
                    : Optional.of(secret(seed, peer.number()).publicKey())));
  }

  private static VrfSecret secret(long seed, long peer) {
    return VrfSecret.derive(Digest.of(seedBytes(seed ^ SECRET_SALT, peer)));
  }

  private static byte[] seedBytes(long seed, long peer) {
    byte[] name = "kindred overlay".getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocate(name.length + 2 * Long.BYTES)
        .put(name)
        .putLong(seed)
        .putLong(peer)
        .array();
  }
}
