package io.kindred.learning.torch;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.testing.ChildJvm;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Facts that need separate processes: the first start on a machine, and equal bits. */
@NeedsNatives
class ProcessTest {
  private static String start(Path cache, String... environment) throws Exception {
    ProcessBuilder machine =
        ChildJvm.of(
                TrainingDigest.class,
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:ErrorFile=" + cache.resolve("crash.log"),
                "-Dorg.bytedeco.javacpp.cachedir=" + cache)
            .directory(cache.toFile());
    for (int i = 0; i < environment.length; i += 2) {
      machine.environment().put(environment[i], environment[i + 1]);
    }
    return ChildJvm.output(machine);
  }

  /**
   * On a machine with another PyTorch this start once crashed. Thread settings in the environment
   * must not matter either, because the engine's own calls override them.
   */
  @Test
  void aColdStartAWarmStartAndThisProcessComputeTheSameBits(@TempDir Path cache) throws Exception {
    String here = TrainingDigest.digest();
    assertThat(TrainingDigest.digest()).isEqualTo(here);
    assertThat(start(cache)).contains("digest " + here);
    assertThat(start(cache, "OMP_NUM_THREADS", "2", "OPENBLAS_NUM_THREADS", "2"))
        .contains("digest " + here);
  }
}
