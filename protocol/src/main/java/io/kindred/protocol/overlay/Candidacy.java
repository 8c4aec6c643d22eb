package io.kindred.protocol.overlay;

import io.kindred.core.weights.Digest;
import io.kindred.protocol.election.Epoch;
import io.kindred.protocol.election.VrfSecret;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * What a peer takes part in elections with.
 *
 * @param secret what it draws its scores with
 * @param before the epoch whose seed the first scores follow from
 * @param proofs how it checks the scores of others
 */
public record Candidacy(VrfSecret secret, Epoch before, Proofs proofs) {
  private static final long SECRETS = 0x6f7665726c6179L;

  /**
   * Everybody's, by number, where all follow from the seed of one run: nobody there has anything to
   * hide from anybody. Proofs are remembered, because all peers of a process check the same ones.
   */
  public static LongFunction<Candidacy> derived(long seed, long peers) {
    return derived(seed, proofs(seed, peers));
  }

  /** The same, with scores checked in a way of one's own. */
  public static LongFunction<Candidacy> derived(long seed, Proofs proofs) {
    Epoch before = Epoch.zero(Digest.of(text(seed, -1)));
    return peer -> new Candidacy(secret(seed, peer), before, proofs);
  }

  /** Checks with the keys that follow from a run's seed, each score once. */
  public static Proofs proofs(long seed, long peers) {
    return Proofs.remembering(
        Proofs.plain(
            peer ->
                peer.number() < 0 || peer.number() >= peers
                    ? Optional.empty()
                    : Optional.of(secret(seed, peer.number()).publicKey())));
  }

  private static VrfSecret secret(long seed, long peer) {
    return VrfSecret.derive(Digest.of(text(seed ^ SECRETS, peer)));
  }

  private static byte[] text(long seed, long peer) {
    byte[] name = "kindred overlay".getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocate(name.length + 2 * Long.BYTES)
        .put(name)
        .putLong(seed)
        .putLong(peer)
        .array();
  }
}
