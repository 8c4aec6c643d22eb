package io.kindred.node.transport;

import io.kindred.core.PeerId;
import io.kindred.node.identity.Member;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * How members behave. Messages that nobody in good faith sends are offences; a member with three of
 * them within a minute is not heard for a while, and for twice as long every time. Who sends more
 * than its share is told to come back later, which is no offence.
 */
public final class Conduct {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int MOST_OFFENCES = 3;
  private static final double OFFENCE_SECONDS = 60;
  private static final double MOST_MUTE_SECONDS = 3_600;

  /** Seconds that a member may be ahead of its share. */
  private static final double BURST_SECONDS = 2;

  private final Limits limits;
  private final Refusals refusals;
  private final LongSupplier nanos;
  private final SortedMap<PeerId, Past> records = new TreeMap<>();

  /** What is known of one member; times are seconds of the clock. */
  private static final class Past {
    private long offences;
    private int recent;
    private double lastOffence;
    private int mutes;
    private double mutedUntil;
    private double share;
    private double shared;
  }

  /**
   * What one member did wrong.
   *
   * @param mutedSeconds how much longer it is not heard
   */
  public record Told(long offences, double mutedSeconds) {}

  public Conduct(Limits limits, Refusals refusals) {
    this(limits, refusals, System::nanoTime);
  }

  Conduct(Limits limits, Refusals refusals, LongSupplier nanos) {
    this.limits = limits;
    this.refusals = refusals;
    this.nanos = nanos;
  }

  public Limits limits() {
    return limits;
  }

  public Refusals refusals() {
    return refusals;
  }

  private double now() {
    return nanos.getAsLong() / NANOS_PER_SECOND;
  }

  private Past of(PeerId peer) {
    return records.computeIfAbsent(
        peer,
        each -> {
          Past fresh = new Past();
          fresh.share = BURST_SECONDS * limits.messagesPerSecond();
          fresh.shared = now();
          fresh.mutedUntil = fresh.shared;
          return fresh;
        });
  }

  /** Refuses what a member should not have sent. */
  public synchronized void offence(Member member, String kind, String why) {
    refusals.add(kind, "message of " + member + ": " + why);
    Past past = of(member.peer());
    double now = now();
    past.recent = now - past.lastOffence > OFFENCE_SECONDS ? 1 : past.recent + 1;
    past.lastOffence = now;
    past.offences++;
    if (past.recent >= MOST_OFFENCES && limits.muteSeconds() > 0) {
      double seconds = Math.min(MOST_MUTE_SECONDS, limits.muteSeconds() * Math.pow(2, past.mutes));
      past.recent = 0;
      past.mutes++;
      past.mutedUntil = now + seconds;
      refusals.add(
          "muted",
          "%s is not heard for %.0f s after %d offences".formatted(member, seconds, past.offences));
    }
  }

  /** How many seconds longer a member is not heard. */
  synchronized double mutedSeconds(PeerId peer) {
    return Math.max(0, of(peer).mutedUntil - now());
  }

  /** Whether a member has a message left of its share; if so, that is taken. */
  synchronized boolean takesTurn(PeerId peer) {
    Past past = of(peer);
    double now = now();
    double most = Math.max(1, BURST_SECONDS * limits.messagesPerSecond());
    past.share = Math.min(most, past.share + (now - past.shared) * limits.messagesPerSecond());
    past.shared = now;
    if (past.share < 1) {
      return false;
    }
    past.share--;
    return true;
  }

  /** Of those who did something wrong. */
  public synchronized SortedMap<Long, Told> told() {
    SortedMap<Long, Told> told = new TreeMap<>();
    records.forEach(
        (peer, past) -> {
          if (past.offences > 0) {
            told.put(peer.number(), new Told(past.offences, Math.max(0, past.mutedUntil - now())));
          }
        });
    return told;
  }
}
