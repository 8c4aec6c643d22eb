package io.kindred.studies.fuzz;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The scenario files that come with the fuzzer. */
public final class Scenarios {
  private Scenarios() {}

  /** The text of a built-in scenario, such as {@code churn}. */
  public static String text(String name) throws IOException {
    try (InputStream in =
        Scenarios.class.getResourceAsStream("/io/kindred/studies/scenarios/" + name + ".yaml")) {
      return new String(
          Objects.requireNonNull(in, name + " is not a scenario").readAllBytes(),
          StandardCharsets.UTF_8);
    }
  }
}
