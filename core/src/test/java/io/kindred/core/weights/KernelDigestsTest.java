package io.kindred.core.weights;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.testing.ChildJvm;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KernelDigestsTest {
  /** Enough for both compilers to have replaced every kernel. */
  private static final int REPETITIONS = 2_000;

  private static final List<String> HERE = new KernelDigests().all();

  @Test
  void kernelsKeepTheirBitsWhileTheyAreCompiled() {
    KernelDigests digests = new KernelDigests();
    for (int i = 0; i < REPETITIONS; i++) {
      List<String> again = digests.all();
      if (!again.equals(HERE)) {
        assertThat(again).as("repetition %d", i).isEqualTo(HERE);
      }
    }
  }

  /** Interpreted throughout, and with registers of four and eight lanes. */
  @ParameterizedTest
  @ValueSource(strings = {"-Xint", "-XX:MaxVectorSize=16", "-XX:MaxVectorSize=32"})
  void otherMachinesComputeTheSameBits(String option) throws IOException, InterruptedException {
    String output = ChildJvm.output(ChildJvm.of(KernelDigests.class, option));
    assertThat(output.lines().filter(line -> !line.startsWith("WARNING")))
        .containsExactlyElementsOf(HERE);
  }
}
