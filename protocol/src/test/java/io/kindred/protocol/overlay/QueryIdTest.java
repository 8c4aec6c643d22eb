package io.kindred.protocol.overlay;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.PeerId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

class QueryIdTest {
  @Test
  void aRepetitionIsKnownByItsQuestionEvenOneNumberedByAClock() {
    long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse("2126-11-16T04:00:00Z"));
    for (long number : new long[] {0, 1, now}) {
      QueryId asked = new QueryId(new PeerId(3), number);
      assertThat(asked.retryCount()).isZero();
      assertThat(asked.originalNumber()).isEqualTo(number);
      QueryId repeated = asked.retry().retry().retry();
      assertThat(repeated).isNotEqualTo(asked);
      assertThat(repeated.retryCount()).isEqualTo(3);
      assertThat(repeated.originalNumber()).isEqualTo(number);
    }
  }
}
