package io.kindred.node.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import org.junit.jupiter.api.Test;

class UploadTest {
  @Test
  void whatWentWrongIsToldInOneLine() {
    assertThat(Upload.describe(Status.INTERNAL.withDescription("first\n\tat second")))
        .isEqualTo("INTERNAL: first");
    assertThat(Upload.describe(Status.CANCELLED)).isEqualTo("CANCELLED");
    assertThat(Upload.describe(Status.DEADLINE_EXCEEDED.withDescription("a\nb")))
        .startsWith("nobody took it in time");
  }
}
