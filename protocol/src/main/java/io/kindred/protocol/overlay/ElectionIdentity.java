package io.kindred.protocol.overlay;

import io.kindred.core.weights.Digest;
import io.kindred.protocol.vrf.Epoch;
import io.kindred.protocol.vrf.VrfSecret;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * What a peer takes part in elections with.
 *
 * @param secret what it draws its scores with
 * @param previousEpoch the epoch whose seed the first scores follow from
 * @param verifier how it checks the scores of others
 */
public record ElectionIdentity(VrfSecret secret, Epoch previousEpoch, ProofVerifier verifier) {
  private static final long SECRET_SALT = 0x6f7665726c6179L;

  /**
   * Everybody's, by number, where all follow from the seed of one run: nobody there has anything to
   * hide from anybody. Proofs are remembered, because all peers of a process check the same ones.
   */
  public static LongFunction<ElectionIdentity> fromSeed(long seed, long peers) {
    return fromSeed(seed, verifier(seed, peers));
  }

  /** The same, with scores checked in a way of one's own. */
  public static LongFunction<ElectionIdentity> fromSeed(long seed, ProofVerifier verifier) {
    Epoch before = Epoch.zero(Digest.of(seedBytes(seed, -1)));
    return peer -> new ElectionIdentity(secret(seed, peer), before, verifier);
  }

  /** Checks with the keys that follow from a run's seed, each score once. */
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
