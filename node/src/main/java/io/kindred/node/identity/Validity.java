package io.kindred.node.identity;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;

/** From when to when a certificate counts. */
public record Validity(Instant from, Instant until) {
  /** Clocks of machines differ; what is signed now should hold there too. */
  private static final Duration BACKDATED = Duration.ofHours(1);

  /** From now on. */
  public static Validity ofDays(int days) {
    Instant now = Instant.now();
    return new Validity(now.minus(BACKDATED), now.plus(Duration.ofDays(days)));
  }

  public static Validity of(X509Certificate certificate) {
    return new Validity(
        certificate.getNotBefore().toInstant(), certificate.getNotAfter().toInstant());
  }

  public boolean isExpired(Instant now) {
    return now.isAfter(until);
  }

  public boolean isNotYetValid(Instant now) {
    return now.isBefore(from);
  }

  /** Whole days that are left; negative when it is over. */
  public long daysLeft(Instant now) {
    return Math.floorDiv(until.getEpochSecond() - now.getEpochSecond(), 86_400L);
  }
}
