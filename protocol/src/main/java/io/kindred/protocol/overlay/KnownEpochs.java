package io.kindred.protocol.overlay;

/**
 * The epochs that a peer takes part in.
 *
 * @param newest the newest one; the one before the first where there is none
 * @param any whether there is one
 */
public record KnownEpochs(long newest, boolean any) {
  /**
   * How far ahead of its newest epoch a peer follows others. Seeds follow from each other, so each
   * epoch in between costs a hash: this many take about a second. A peer that knows no epoch, after
   * a restart or as a new peer, can thus join a network that began one-minute epochs two years ago.
   */
  private static final long MAX_EPOCHS_AHEAD = 1 << 20;

  /** Whether an epoch is newer than those that this peer knows, but not implausibly far ahead. */
  public boolean canFollow(long epoch) {
    return epoch > newest && epoch - newest <= MAX_EPOCHS_AHEAD;
  }
}
