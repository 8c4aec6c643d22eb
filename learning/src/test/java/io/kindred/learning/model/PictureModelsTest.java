package io.kindred.learning.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.config.Catalogue;
import io.kindred.core.config.SettingException;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.learning.data.ByteFeatures;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PictureModelsTest {
  private static final Path DOCS = Path.of("..", "docs", "reference", "models.md");
  private static final Dataset MNIST = task("mnist", 10, 1, 28, 28);
  private static final Dataset CIFAR = task("cifar", 10, 3, 32, 32);

  private static Dataset task(String name, int classes, Integer... shape) {
    int width = 1;
    for (int extent : shape) {
      width *= extent;
    }
    Samples one = new Samples(new ByteFeatures(new byte[width], width, 1, 0), Ints.of(0));
    return new Dataset(name, List.of(shape), classes, one, one);
  }

  private static void checkSize(Model model, Dataset task, int trained, int statistics) {
    Architecture architecture = model.sizedFor(task);
    Layout layout = architecture.layout();
    assertThat(
            layout.blocks().stream()
                .filter(Layout.Block::trained)
                .mapToInt(Layout.Block::size)
                .sum())
        .isEqualTo(trained);
    assertThat(layout.size()).isEqualTo(trained + statistics);
    assertThat(architecture.inputs()).isEqualTo(task.width());
    assertThat(architecture.outputs()).isEqualTo(task.classes());
    assertThat(architecture.forwardOperations()).isGreaterThan(trained);
  }

  private static List<String> names(Model model, Dataset task) {
    return model.sizedFor(task).layout().blocks().stream().map(Layout.Block::name).toList();
  }

  @Test
  void theFashionNetworkHasTheSizesOfTheDesign() {
    checkSize(new FmnistCnn(false), MNIST, 582_026, 0);
    checkSize(new FmnistCnn(true), MNIST, 1_663_370, 0);
  }

  /** 10 x 26 + 20 x 251 + 50 x 981 + 10 x 51. */
  @Test
  void theDigitNetworkHasItsSize() {
    checkSize(new MnistCnn(List.of(10, 20), 0.5), MNIST, 54_840, 0);
    assertThat(new MnistCnn(List.of(10, 20), 0.5).sizedFor(MNIST).layers())
        .contains(new LayerShape.Dropout(0.5));
    assertThat(new MnistCnn(List.of(10, 20), 0).sizedFor(MNIST).layers())
        .noneMatch(LayerShape.Dropout.class::isInstance);
  }

  /**
   * Convolutions 2,432 + 25,632 + 18,496 + 36,928, dense 4,195,328 + 524,800 + 5,130, and two
   * trained and two running values for each of 192 + 1,536 channels.
   */
  @Test
  void theNormalizedNetworkHasItsSize() {
    checkSize(new CifarCnn(List.of(32, 32, 64, 64), 0.25), CIFAR, 4_812_202, 3_456);
  }

  @Test
  void leNetHasItsWellKnownSize() {
    checkSize(new LeNet(), CIFAR, 62_006, 0);
    checkSize(new LeNet(), MNIST, 44_426, 0);
    assertThat(names(new LeNet(), CIFAR))
        .containsExactly(
            "conv1.weight",
            "conv1.bias",
            "conv2.weight",
            "conv2.bias",
            "fc1.weight",
            "fc1.bias",
            "fc2.weight",
            "fc2.bias",
            "fc3.weight",
            "fc3.bias");
  }

  /** 2048 x 49 + 2 x 2048 x 2049 + 6 x 2049. */
  @Test
  void theMagnetPerceptronHasItsSize() {
    checkSize(new MagnetMlp(2048), task("magnet", 6, 48), 8_505_350, 0);
    assertThat(new MagnetMlp(2048).sizedFor(task("magnet", 6, 48)).layers().getFirst())
        .isEqualTo(new LayerShape.CubeRoot());
  }

  @Test
  void theMnistModelOfTheClusteringPaperIsAPerceptron() {
    checkSize(new Mlp(List.of(2048)), MNIST, 2048 * 785 + 10 * 2049, 0);
  }

  /** 16 x 26 + 32 x 401 + 10 x 1569. */
  @Test
  void theSmallNetworkHasItsSize() {
    checkSize(new SmallCnn(List.of(16, 32)), MNIST, 28_938, 0);
  }

  /** 832 + 64 + 51,264 + 128 + 47 x 3,137. */
  @Test
  void theLetterNetworkNormalizesWhatWasPooled() {
    Dataset letters = task("emnist", 47, 1, 28, 28);
    checkSize(new EmnistCnn(List.of(32, 64)), letters, 199_727, 192);
    List<LayerShape> layers = new EmnistCnn(List.of(32, 64)).sizedFor(letters).layers();
    assertThat(layers.subList(1, 4))
        .containsExactly(
            new LayerShape.Relu(),
            new LayerShape.MaxPool(new Volume(32, 28, 28), 2, 2, 0),
            new LayerShape.BatchNorm("bn1", 32, 14 * 14));
  }

  @Test
  void theResidualNetworkHasItsWellKnownSizes() {
    checkSize(new ResNet18(ResNet18.Stem.SMALL), CIFAR, 11_173_962, 9_600);
    checkSize(
        new ResNet18(ResNet18.Stem.LARGE), task("imagenet", 1000, 3, 224, 224), 11_689_512, 9_600);
    // The size of the small stem, with 200 classes in place of 10.
    checkSize(new ResNet18(ResNet18.Stem.MEDIUM), task("tiny", 200, 3, 64, 64), 11_271_432, 9_600);
    // One channel instead of three saves 2 x 64 x 9 weights.
    checkSize(new ResNet18(ResNet18.Stem.SMALL), MNIST, 11_172_810, 9_600);
  }

  /** The sizes of torchvision's networks for a thousand classes. */
  @Test
  void squeezeNetHasItsPublishedSizes() {
    Dataset imagenet = task("imagenet", 1000, 3, 224, 224);
    checkSize(new SqueezeNet(SqueezeNet.Version.FIRST, 0.5), imagenet, 1_248_424, 0);
    checkSize(new SqueezeNet(SqueezeNet.Version.SECOND, 0.5), imagenet, 1_235_496, 0);
    assertThat(names(new SqueezeNet(SqueezeNet.Version.SECOND, 0.5), imagenet))
        .startsWith(
            "features.0.weight",
            "features.0.bias",
            "features.3.squeeze.weight",
            "features.3.squeeze.bias",
            "features.3.expand1x1.weight",
            "features.3.expand1x1.bias",
            "features.3.expand3x3.weight")
        .contains("features.12.expand3x3.bias")
        .endsWith("classifier.1.weight", "classifier.1.bias");
  }

  /**
   * The revision without its last layer has 722,496 weights, none of which depends on the picture
   * size; with a hundred classes 51,300 more. 64 + 16 + 128 + ... channels are normalized.
   */
  @Test
  void smallSqueezeNetIsTheRevisionNormalized() {
    Dataset hundred = task("cifar-100", 100, 3, 32, 32);
    int normalized = 64 + 9 * (16 + 16 + 32 + 32 + 48 + 48 + 64 + 64);
    checkSize(
        new SqueezeNet(SqueezeNet.Version.SMALL, 0.5),
        hundred,
        722_496 + 51_300 + 2 * normalized,
        2 * normalized);
  }

  @Test
  void mobileNetHasItsPublishedSize() {
    Dataset imagenet = task("imagenet", 1000, 3, 224, 224);
    checkSize(new MobileNetV2(MobileNetV2.Stem.LARGE, 0.2), imagenet, 3_504_872, 34_112);
    checkSize(new MobileNetV2(MobileNetV2.Stem.SMALL, 0.2), CIFAR, 2_236_682, 34_112);
    assertThat(names(new MobileNetV2(MobileNetV2.Stem.LARGE, 0.2), imagenet))
        .startsWith("features.0.0.weight", "features.0.1.weight")
        .contains(
            "features.1.conv.0.0.weight",
            "features.1.conv.1.weight",
            "features.1.conv.2.running_var",
            "features.2.conv.0.0.weight",
            "features.2.conv.1.0.weight",
            "features.2.conv.2.weight",
            "features.17.conv.3.bias",
            "features.18.0.weight")
        .endsWith("classifier.1.weight", "classifier.1.bias");
  }

  @Test
  void theSizesOfTheNewNetworksFitFromLayerToLayer() {
    Dataset imagenet = task("imagenet", 7, 3, 224, 224);
    for (SqueezeNet.Version version : SqueezeNet.Version.values()) {
      assertThat(follow(new SqueezeNet(version, 0).sizedFor(imagenet).layers(), picture(imagenet)))
          .isEqualTo(new Volume(7, 1, 1));
    }
    for (MobileNetV2.Stem stem : MobileNetV2.Stem.values()) {
      assertThat(follow(new MobileNetV2(stem, 0).sizedFor(CIFAR).layers(), picture(CIFAR)))
          .isEqualTo(new Volume(10, 1, 1));
    }
    Dataset sensors = task("uci-har", 6, 9, 1, 128);
    SensorCnn sensorCnn = new SensorCnn(List.of(32, 64, 64), 9, 0.3);
    assertThat(follow(sensorCnn.sizedFor(sensors).layers(), picture(sensors)))
        .isEqualTo(new Volume(6, 1, 1));
  }

  /** 32 x (9 x 9 + 1) + 64 x (32 x 9 + 1) + 64 x (64 x 9 + 1) + 6 x 65. */
  @Test
  void theSensorNetworkHasItsSize() {
    Dataset sensors = task("uci-har", 6, 9, 1, 128);
    checkSize(new SensorCnn(List.of(32, 64, 64), 9, 0.3), sensors, 58_438, 0);
    assertThatThrownBy(() -> new SensorCnn(List.of(32), 9, 0).sizedFor(CIFAR))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("takes channels over time");
    assertThatThrownBy(() -> new SensorCnn(List.of(32), 8, 0)).isInstanceOf(SettingException.class);
  }

  @Test
  void residualBlocksAreNamedAsInTorchvision() {
    assertThat(names(new ResNet18(ResNet18.Stem.LARGE), CIFAR))
        .startsWith("conv1.weight", "bn1.weight", "bn1.bias", "bn1.running_mean", "bn1.running_var")
        .contains("layer1.0.conv1.weight", "layer1.1.bn2.bias", "layer4.1.conv2.weight")
        .containsSubsequence(
            "layer2.0.bn2.running_var",
            "layer2.0.downsample.0.weight",
            "layer2.0.downsample.1.weight",
            "layer2.1.conv1.weight")
        .doesNotContain("layer1.0.downsample.0.weight", "layer2.1.downsample.0.weight")
        .endsWith("fc.weight", "fc.bias");
  }

  @ParameterizedTest
  @EnumSource(ResNet18.Stem.class)
  void sizesFitFromLayerToLayer(ResNet18.Stem stem) {
    for (Dataset task : List.of(CIFAR, MNIST, task("odd", 3, 2, 65, 33))) {
      Volume end = follow(new ResNet18(stem).sizedFor(task).layers(), picture(task));
      assertThat(end).isEqualTo(new Volume(task.classes(), 1, 1));
    }
  }

  private static Volume picture(Dataset task) {
    return new Volume(task.shape().get(0), task.shape().get(1), task.shape().get(2));
  }

  private static Volume follow(List<LayerShape> layers, Volume from) {
    Volume at = from;
    for (LayerShape layer : layers) {
      at =
          switch (layer) {
            case LayerShape.Dense dense -> {
              assertThat(dense.inputs()).isEqualTo(at.size());
              yield new Volume(dense.outputs(), 1, 1);
            }
            case LayerShape.Convolution convolution -> {
              assertThat(convolution.input()).isEqualTo(at);
              yield convolution.output();
            }
            case LayerShape.MaxPool pool -> {
              assertThat(pool.input()).isEqualTo(at);
              yield pool.output();
            }
            case LayerShape.AveragePool pool -> {
              assertThat(pool.input()).isEqualTo(at);
              yield new Volume(at.channels(), 1, 1);
            }
            case LayerShape.BatchNorm norm -> {
              assertThat(norm.channels() * norm.area()).isEqualTo(at.size());
              yield at;
            }
            case LayerShape.Residual residual -> {
              Volume end = follow(residual.path(), at);
              assertThat(follow(residual.shortcut(), at)).isEqualTo(end);
              yield end;
            }
            case LayerShape.GroupedConvolution convolution -> {
              assertThat(convolution.input()).isEqualTo(at);
              yield convolution.output();
            }
            case LayerShape.Concatenation fork -> {
              Volume entry = at;
              List<Volume> ends =
                  fork.branches().stream().map(each -> follow(each, entry)).toList();
              int channels = ends.stream().mapToInt(Volume::channels).sum();
              yield new Volume(channels, ends.getFirst().height(), ends.getFirst().width());
            }
            case LayerShape.Encoder encoder -> {
              assertThat(encoder.tokens()).isEqualTo(at.size());
              yield new Volume(encoder.hidden(), 1, 1);
            }
            case LayerShape.Relu _,
                LayerShape.Relu6 _,
                LayerShape.Dropout _,
                LayerShape.CubeRoot _ ->
                at;
          };
    }
    return at;
  }

  @Test
  void normalizationsStartAsTheIdentity() {
    Weights weights =
        new EmnistCnn(List.of(3, 5))
            .sizedFor(MNIST)
            .initialWeights(new RandomStreams(1).stream(Purpose.INITIAL_WEIGHTS, 0, 0));
    for (String name : List.of("weight", "bias", "running_mean", "running_var")) {
      Layout.Block block = weights.layout().block("bn2." + name);
      for (int i = block.offset(); i < block.end(); i++) {
        assertThat(weights.get(i))
            .isEqualTo(name.equals("weight") || name.equals("running_var") ? 1 : 0);
      }
    }
  }

  @Test
  void picturesThatAreTooSmallAreRefusedWithARemedy() {
    assertThatThrownBy(() -> new LeNet().sizedFor(task("tiny", 10, 1, 8, 8)))
        .isInstanceOfSatisfying(
            SettingException.class,
            invalid -> {
              assertThat(invalid.path()).isEqualTo("model");
              assertThat(invalid.problem())
                  .isEqualTo(
                      "lenet cannot take pictures of [1, 8, 8], which tiny has: conv2 needs 5x5,"
                          + " but only 2x2 is left");
              assertThat(invalid.remedy()).contains("larger pictures");
            });
    assertThatThrownBy(() -> new SmallCnn(List.of(2, 2)).sizedFor(task("tiny", 10, 1, 3, 3)))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("a pooling layer needs 2x2, but only 1x1 is left");
  }

  @Test
  void plainFeaturesAreNoPictures() {
    Dataset readings = task("readings", 6, 48);
    for (Model model :
        List.of(
            new FmnistCnn(false),
            new MnistCnn(List.of(1, 1), 0),
            new CifarCnn(List.of(1, 1, 1, 1), 0),
            new LeNet(),
            new SmallCnn(List.of(1, 1)),
            new EmnistCnn(List.of(1, 1)),
            new ResNet18(ResNet18.Stem.SMALL))) {
      assertThatThrownBy(() -> model.sizedFor(readings))
          .isInstanceOfSatisfying(
              SettingException.class,
              invalid -> {
                assertThat(invalid.problem()).contains("takes pictures").contains("[48]");
                assertThat(invalid.remedy()).contains("mlp");
              });
    }
  }

  @Test
  void eachConvolutionNeedsItsFilters() {
    assertThatThrownBy(() -> new CifarCnn(List.of(32, 32, 64), 0))
        .isInstanceOfSatisfying(
            SettingException.class,
            invalid -> assertThat(invalid.path()).isEqualTo("model.filters"))
        .hasMessageContaining("4 positive numbers");
    assertThatThrownBy(() -> new SmallCnn(List.of(0, 3))).isInstanceOf(SettingException.class);
  }

  @Test
  void branchesThatDoNotMeetAreOurMistake() {
    ArchitectureBuilder builder = ArchitectureBuilder.forPictures("toy", MNIST);
    assertThatThrownBy(
            () -> builder.residual(builder.branch().convolution("a", 2, 3, 1, 1), builder.branch()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void everyModelHasItsRowInTheDocs() throws IOException {
    String docs = Files.readString(DOCS);
    for (Class<? extends Model> model : Models.ALL.choices()) {
      assertThat(docs).contains("| `" + Catalogue.nameOf(model) + "` |");
    }
  }
}
