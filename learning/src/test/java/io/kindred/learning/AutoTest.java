package io.kindred.learning;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.config.SettingException;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.ByteFeatures;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Samples;
import io.kindred.learning.engine.EngineSelection;
import io.kindred.learning.engine.jvm.Jvm;
import io.kindred.learning.model.Architecture;
import io.kindred.learning.model.CifarCnn;
import io.kindred.learning.model.FmnistCnn;
import io.kindred.learning.model.LayerShape;
import io.kindred.learning.model.LeNet;
import io.kindred.learning.model.Mlp;
import io.kindred.learning.model.Model;
import io.kindred.learning.model.ResNet18;
import io.kindred.learning.torch.Torch;
import io.kindred.learning.torch.TorchDevice;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AutoTest {
  private static final Optional<SettingException> NO_NATIVES =
      Optional.of(new SettingException("engine", "natives are missing", "add them"));

  private static Architecture sized(Model model) {
    List<Integer> shape = List.of(1, 28, 28);
    Samples one = new Samples(new ByteFeatures(new byte[784], 784, 1, 0), Ints.of(0));
    return model.sizedFor(new Dataset("pictures", shape, 10, one, one));
  }

  private static EngineSelection withTorch(Model model) {
    return Auto.select(sized(model), Optional::empty);
  }

  private static EngineSelection withoutTorch(Model model) {
    return Auto.select(sized(model), () -> NO_NATIVES);
  }

  @Test
  void autoCanBeNamed() {
    assertThat(Engines.ALL.find("auto")).contains(Auto.class);
  }

  @Test
  void denseLayersOfAnySizeAndSmallConvolutionsAreForJvm() {
    for (Model model : List.of(new Mlp(List.of(64)), new Mlp(List.of(4096, 4096)), new LeNet())) {
      assertThat(
              Auto.select(
                      sized(model),
                      () -> {
                        throw new AssertionError("natives are loaded only where they are needed");
                      })
                  .engine())
          .isEqualTo(new Jvm());
    }
    assertThat(withTorch(new FmnistCnn(false)).engine()).isEqualTo(new Jvm());
  }

  @Test
  void largeConvolutionsAreForTorchWhereItWorks() {
    Model padded = new FmnistCnn(true);
    assertThat(withTorch(padded))
        .isEqualTo(
            EngineSelection.because(
                new Torch(TorchDevice.CPU),
                "the faster engine for a model with convolutions of 24.6 million operations a"
                    + " sample"));
    assertThat(withoutTorch(padded))
        .isEqualTo(
            EngineSelection.because(new Jvm(), "torch would be faster, but natives are missing"));
    assertThat(withTorch(new CifarCnn(List.of(32, 32, 64, 64), 0.25)).engine())
        .isInstanceOf(Torch.class);
  }

  @Test
  void convolutionsInsideOtherLayersCount() {
    Model residual = new ResNet18(ResNet18.Stem.SMALL);
    assertThat(withTorch(residual).engine()).isInstanceOf(Torch.class);
    assertThat(withTorch(residual).reason().orElseThrow())
        .startsWith("the faster engine for a model with convolutions of");
    assertThat(withoutTorch(residual).engine()).isEqualTo(new Jvm());
  }

  @Test
  void textEncodersAreForTorchWhereItWorks() {
    Architecture encoder =
        new Architecture(
            List.of(
                new LayerShape.Encoder("encoder", 3, 5, 3, 2, 4, 4, 2, 1),
                new LayerShape.Dense("output", 4, 2)),
            3,
            2);
    assertThat(Auto.select(encoder, Optional::empty))
        .isEqualTo(
            EngineSelection.because(
                new Torch(TorchDevice.CPU), "the faster engine for a text encoder"));
    assertThat(Auto.select(encoder, () -> NO_NATIVES))
        .isEqualTo(
            EngineSelection.because(new Jvm(), "torch would be faster, but natives are missing"));
  }

  @Test
  void anEngineThatIsNamedIsTakenWithoutAReason() {
    EngineSelection selection = new Jvm().select(sized(new FmnistCnn(true)));
    assertThat(selection.engine()).isEqualTo(new Jvm());
    assertThat(selection.reason()).isEmpty();
  }
}
