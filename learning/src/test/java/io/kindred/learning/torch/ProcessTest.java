package io.kindred.learning.torch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only processes of their own can show: the first start on a machine, and equal bits. */
@NeedsNatives
class ProcessTest {
  private record Ended(int code, String output) {}

  private static Ended start(Path cache, String... environment) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-modules",
                "jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:ErrorFile=" + cache.resolve("crash.log"),
                "-Dorg.bytedeco.javacpp.cachedir=" + cache));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Probe.class.getName()));
    ProcessBuilder builder = new ProcessBuilder(command).directory(cache.toFile());
    for (int i = 0; i < environment.length; i += 2) {
      builder.environment().put(environment[i], environment[i + 1]);
    }
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    Process process = builder.start();
    String output = read(process);
    return new Ended(process.waitFor(), output);
  }

  private static String read(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }

  /**
   * On a machine with another PyTorch this start once crashed. Other settings of threads must not
   * matter either, because the library is told by calls.
   */
  @Test
  void aColdStartAWarmStartAndThisProcessComputeTheSameBits(@TempDir Path cache) throws Exception {
    String here = Probe.digest();
    assertThat(Probe.digest()).isEqualTo(here);
    assertThat(start(cache)).isEqualTo(new Ended(0, here));
    assertThat(start(cache, "OMP_NUM_THREADS", "2", "OPENBLAS_NUM_THREADS", "2"))
        .isEqualTo(new Ended(0, here));
  }
}
