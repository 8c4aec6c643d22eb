package io.kindred.learning.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kindred.core.settings.Complaint;
import io.kindred.learning.Engines;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class TorchTest {
  @Test
  void torchCanBeNamed() {
    assertThat(Engines.ALL.find("torch")).contains(Torch.class);
  }

  @Test
  void aPlatformWithoutNativesIsNamedWithTheRemedy() {
    assertThat(Natives.missing("plan9-mips"))
        .hasValueSatisfying(
            complaint -> {
              assertThat(complaint.path()).isEqualTo("engine");
              assertThat(complaint.problem())
                  .isEqualTo(
                      "the torch engine has no native pytorch library for this platform"
                          + " (plan9-mips)");
              assertThat(complaint.remedy())
                  .contains("org.bytedeco:pytorch with classifier plan9-mips")
                  .endsWith("or choose 'engine: jvm'");
            });
  }

  @Test
  void variablesThatGiveTheLibraryThreadsAreNamed() {
    assertThat(ThreadVariables.warnings(Map.of())).isEmpty();
    assertThat(ThreadVariables.warnings(Map.of("OMP_NUM_THREADS", "1"))).isEmpty();
    assertThat(ThreadVariables.warnings(Map.of("OPENBLAS_NUM_THREADS", "8", "PATH", "2")))
        .singleElement()
        .asString()
        .startsWith("OPENBLAS_NUM_THREADS=8 asks");
  }

  @Test
  @NeedsNatives
  void withoutAGpuCudaIsRefusedWithTheRemedy() {
    Natives.require();
    Assumptions.assumeFalse(
        org.bytedeco.pytorch.global.torch.cuda_is_available(), "this machine has a GPU");
    assertThatExceptionOfType(Complaint.class)
        .isThrownBy(() -> new Torch(TorchDevice.CUDA).prepare(Map.of(), warning -> {}))
        .satisfies(
            complaint -> {
              assertThat(complaint.path()).isEqualTo("engine.device");
              assertThat(complaint.remedy()).contains("-gpu").endsWith("'device: cpu'");
            });
  }

  @Test
  @NeedsNatives
  void theDescriptionTellsVersionInstructionsAndDevice() {
    assertThat(new Torch(TorchDevice.CPU).description()).matches("torch 2\\.\\S+, \\w+, cpu");
  }

  @Test
  @NeedsNatives
  void warmingUpWorks() {
    new Torch(TorchDevice.CPU).warmUp();
  }
}
