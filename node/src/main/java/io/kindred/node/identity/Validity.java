package io.kindred.node.identity;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;

/** The period in which a certificate is valid. */
public record Validity(Instant from, Instant until) {
  /** Clocks differ between machines; a certificate signed now must be valid on all of them. */
  private static final Duration BACKDATED = Duration.ofHours(1);

  /** A period of so many days from now on, with a backdated start. */
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

  /** Whole days until the end; negative after it. */
  public long daysLeft(Instant now) {
    return Math.floorDiv(until.getEpochSecond() - now.getEpochSecond(), 86_400L);
  }
}
