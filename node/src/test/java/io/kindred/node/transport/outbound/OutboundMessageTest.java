package io.kindred.node.transport.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import org.junit.jupiter.api.Test;

class OutboundMessageTest {
  @Test
  void whatWentWrongIsToldInOneLine() {
    assertThat(OutboundMessage.describe(Status.INTERNAL.withDescription("first\n\tat second")))
        .isEqualTo("INTERNAL: first");
    assertThat(OutboundMessage.describe(Status.CANCELLED)).isEqualTo("CANCELLED");
    assertThat(OutboundMessage.describe(Status.DEADLINE_EXCEEDED.withDescription("a\nb")))
        .startsWith("it was not accepted in time");
  }

  /** Operators read log lines in terminals. */
  @Test
  void whatAReceiverSaysIsClippedAndPrintable() {
    assertThat(
            OutboundMessage.describe(Status.INTERNAL.withDescription("gone\u001b[2J\u0007\u2028x")))
        .isEqualTo("INTERNAL: gone?[2J??x");
    assertThat(OutboundMessage.describe(Status.INTERNAL.withDescription("x".repeat(100_000))))
        .hasSizeLessThan(400)
        .endsWith("(truncated)");
  }
}
