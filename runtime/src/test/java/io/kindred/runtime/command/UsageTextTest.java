package io.kindred.runtime.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UsageTextTest {
  @Test
  void theLinesOfAParagraphAreJoinedAndExamplesStay() {
    String[] written = {
      "Runs a thing.",
      "",
      "The first line",
      "and the second.",
      "",
      "Examples:",
      "  one",
      "  two",
      "End."
    };
    assertThat(UsageText.paragraphs(written))
        .containsExactly(
            "Runs a thing.",
            "",
            "The first line and the second.",
            "",
            "Examples:",
            "  one",
            "  two",
            "End.");
  }
}
