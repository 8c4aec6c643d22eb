package io.kindred.node.transport.inbound;

import io.kindred.core.peer.PeerId;
import io.kindred.node.identity.Member;
import io.kindred.node.transport.Limits;
import io.kindred.node.transport.RefusalKind;
import io.kindred.node.transport.Refusals;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Mutes members that send wrong messages and bounds the rate of each member. A message that no
 * honest member sends is an offence; three offences, each within a minute of the one before, mute a
 * member, for twice as long every time. A member above its rate is asked to retry later, which is
 * no offence.
 */
public final class AbusePolicy {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int MOST_OFFENCES = 3;
  private static final double OFFENCE_WINDOW_SECONDS = 60;
  private static final double MOST_MUTE_SECONDS = 3_600;

  /** Burst that a member may send at once, in seconds of its rate. */
  private static final double BURST_SECONDS = 2;

  private final Limits limits;
  private final Refusals refusals;
  private final LongSupplier nanos;
  private final SortedMap<PeerId, MemberRecord> records = new TreeMap<>();

  /** Offences and rate of one member; times are seconds of the clock. */
  private static final class MemberRecord {
    private long offences;
    private int recentOffences;
    private double lastOffence;
    private int muteCount;
    private double mutedUntil;
    private double tokens;
    private double lastRefill;
    private @Nullable String certificate;
  }

  /**
   * Offences of one member.
   *
   * @param mutedSeconds how much longer the member is muted
   */
  public record OffenceStats(long offences, double mutedSeconds) {}

  public AbusePolicy(Limits limits, Refusals refusals) {
    this(limits, refusals, System::nanoTime);
  }

  AbusePolicy(Limits limits, Refusals refusals, LongSupplier nanos) {
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

  /** Remembers which certificate a member uses. */
  synchronized void admitted(PeerId peer, X509Certificate certificate) {
    recordOf(peer).certificate = certificate.getSerialNumber().toString(16);
  }

  /** Serial number of the certificate that a member used last. */
  public synchronized Optional<String> certificateOf(PeerId peer) {
    return Optional.ofNullable(recordOf(peer).certificate);
  }

  /** Counts a refusal of what a member did, if it is no offence. */
  public void refuse(Member member, RefusalKind kind, String why) {
    refusals.add(
        kind,
        Optional.of(new Refusals.Offender(member, certificateOf(member.peer()))),
        "message of " + member + ": " + why);
  }

  private double now() {
    return nanos.getAsLong() / NANOS_PER_SECOND;
  }

  private MemberRecord recordOf(PeerId peer) {
    return records.computeIfAbsent(
        peer,
        each -> {
          MemberRecord fresh = new MemberRecord();
          fresh.tokens = BURST_SECONDS * limits.messagesPerSecond();
          fresh.lastRefill = now();
          fresh.mutedUntil = fresh.lastRefill;
          return fresh;
        });
  }

  /** Counts an offence of a member, and mutes it after too many. */
  public synchronized void reportOffence(Member member, RefusalKind kind, String why) {
    if (!kind.isOffence()) {
      throw new IllegalArgumentException(kind + " is not an offence; add it to the refusals");
    }
    refuse(member, kind, why);
    MemberRecord memberRecord = recordOf(member.peer());
    double now = now();
    memberRecord.recentOffences =
        now - memberRecord.lastOffence > OFFENCE_WINDOW_SECONDS
            ? 1
            : memberRecord.recentOffences + 1;
    memberRecord.lastOffence = now;
    memberRecord.offences++;
    if (memberRecord.recentOffences >= MOST_OFFENCES && limits.muteSeconds() > 0) {
      double seconds =
          Math.min(MOST_MUTE_SECONDS, limits.muteSeconds() * Math.pow(2, memberRecord.muteCount));
      memberRecord.recentOffences = 0;
      memberRecord.muteCount++;
      memberRecord.mutedUntil = now + seconds;
      refusals.add(
          RefusalKind.MUTED,
          Optional.of(new Refusals.Offender(member, Optional.ofNullable(memberRecord.certificate))),
          "%s is muted for %.0f s after %d offences"
              .formatted(member, seconds, memberRecord.offences));
    }
  }

  /** How much longer a member is muted; 0 if it is not. */
  synchronized double mutedSeconds(PeerId peer) {
    return Math.max(0, recordOf(peer).mutedUntil - now());
  }

  /** Whether a member is within its rate; if so, one token is taken. */
  synchronized boolean tryTakeToken(PeerId peer) {
    MemberRecord memberRecord = recordOf(peer);
    double now = now();
    double most = Math.max(1, BURST_SECONDS * limits.messagesPerSecond());
    memberRecord.tokens =
        Math.min(
            most,
            memberRecord.tokens + (now - memberRecord.lastRefill) * limits.messagesPerSecond());
    memberRecord.lastRefill = now;
    if (memberRecord.tokens < 1) {
      return false;
    }
    memberRecord.tokens--;
    return true;
  }

  /** Members with at least one offence. */
  public synchronized SortedMap<Long, OffenceStats> offenceStats() {
    SortedMap<Long, OffenceStats> offenceStats = new TreeMap<>();
    records.forEach(
        (peer, memberRecord) -> {
          if (memberRecord.offences > 0) {
            offenceStats.put(
                peer.number(),
                new OffenceStats(
                    memberRecord.offences, Math.max(0, memberRecord.mutedUntil - now())));
          }
        });
    return offenceStats;
  }
}
