package io.kindred.learning.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kindred.core.config.SettingException;
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
    assertThat(Natives.missingLibrary("plan9-mips"))
        .hasValueSatisfying(
            invalid -> {
              assertThat(invalid.path()).isEqualTo("engine");
              assertThat(invalid.problem())
                  .isEqualTo(
                      "the torch engine has no native pytorch library for this platform"
                          + " (plan9-mips)");
              assertThat(invalid.remedy())
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
        .startsWith("OPENBLAS_NUM_THREADS=8 starts");
  }

  @Test
  @NeedsNatives
  void withoutAGpuCudaIsRefusedWithTheRemedy() {
    Natives.ensureLoaded();
    Assumptions.assumeFalse(
        org.bytedeco.pytorch.global.torch.cuda_is_available(), "this machine has a GPU");
    assertThatExceptionOfType(SettingException.class)
        .isThrownBy(() -> new Torch(TorchDevice.CUDA).prepare(Map.of(), warning -> {}))
        .satisfies(
            invalid -> {
              assertThat(invalid.path()).isEqualTo("engine.device");
              assertThat(invalid.remedy()).contains("-gpu").endsWith("'device: cpu'");
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
