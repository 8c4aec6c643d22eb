package io.kindred.learning.torch;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.learning.engine.Engine;
import io.kindred.learning.model.Architecture;
import io.kindred.learning.model.LayerShape;
import io.kindred.learning.model.LayerShape.AveragePool;
import io.kindred.learning.model.LayerShape.BatchNorm;
import io.kindred.learning.model.LayerShape.Concatenation;
import io.kindred.learning.model.LayerShape.Convolution;
import io.kindred.learning.model.LayerShape.CubeRoot;
import io.kindred.learning.model.LayerShape.Dense;
import io.kindred.learning.model.LayerShape.Dropout;
import io.kindred.learning.model.LayerShape.Encoder;
import io.kindred.learning.model.LayerShape.GroupedConvolution;
import io.kindred.learning.model.LayerShape.GroupedConvolution.Extent;
import io.kindred.learning.model.LayerShape.MaxPool;
import io.kindred.learning.model.LayerShape.Relu;
import io.kindred.learning.model.LayerShape.Relu6;
import io.kindred.learning.model.LayerShape.Residual;
import io.kindred.learning.model.Volume;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Small networks, each for one kind of layer, and one with all kinds together. */
final class TestNetworks {
  static final int CLASSES = 3;

  /** Two channels of five rows and four columns: no two extents are equal. */
  static final Volume PICTURE = new Volume(2, 5, 4);

  private TestNetworks() {}

  static Map<String, Architecture> all() {
    Map<String, Architecture> nets = new TreeMap<>();
    nets.put("dense", net());
    nets.put("rectified", net(new Dense("hidden", 40, 6), new Relu(), new Dense("more", 6, 5)));
    nets.put("convolution", net(filters(1, 1, true)));
    nets.put("convolution with stride", net(filters(2, 1, true), new Relu()));
    nets.put("convolution without padding or bias", net(filters(1, 0, false), new Relu()));
    nets.put("maximum", net(filters(1, 1, true), new MaxPool(volume(4), 2, 2, 0)));
    nets.put("maximum with padding", net(filters(1, 1, true), new MaxPool(volume(4), 3, 2, 1)));
    nets.put("average", net(filters(1, 1, true), new AveragePool(volume(4))));
    nets.put("normalized", net(new Dense("hidden", 40, 6), new BatchNorm("norm", 6, 1)));
    nets.put(
        "normalized channels", net(filters(1, 1, false), new BatchNorm("norm", 4, 20), new Relu()));
    nets.put("normalized inputs", net(new BatchNorm("norm", 2, 20), filters(1, 1, true)));
    nets.put("dropped", net(new Dense("hidden", 40, 8), new Dropout(0.4)));
    nets.put("identity short cut", net(new Residual(List.of(new Relu(), same(2)), List.of())));
    nets.put("short cut", net(filters(1, 1, true), new Relu(), shortcut()));
    nets.put("cube root of inputs", net(new CubeRoot(), new Dense("hidden", 40, 6)));
    nets.put("cube root", net(new Dense("hidden", 40, 6), new CubeRoot(), new Relu()));
    nets.put("capped", net(new BatchNorm("norm", 2, 20), new Dense("hidden", 40, 9), new Relu6()));
    nets.put("depthwise convolution", net(grouped(4, 2), new Relu()));
    nets.put("oblong convolution", net(oblong(), new Relu6()));
    nets.put("side by side", net(fork(), new Relu()));
    nets.put("everything", everything());
    return nets;
  }

  static Architecture named(String name) {
    return Objects.requireNonNull(all().get(name), name);
  }

  /** A network from pictures to classes; the last layer is dense. */
  private static Architecture net(LayerShape... layers) {
    int outputs = PICTURE.size();
    for (LayerShape layer : layers) {
      outputs = outputs(layer, outputs);
    }
    List<LayerShape> all = new ArrayList<>(List.of(layers));
    all.add(new Dense("output", outputs, CLASSES));
    return new Architecture(all, PICTURE.size(), CLASSES);
  }

  private static int outputs(LayerShape layer, int before) {
    return switch (layer) {
      case Dense dense -> dense.outputs();
      case Convolution filter -> filter.output().size();
      case MaxPool pool -> pool.output().size();
      case AveragePool(Volume input) -> input.channels();
      case Residual residual -> {
        int size = before;
        for (LayerShape inner : residual.path()) {
          size = outputs(inner, size);
        }
        yield size;
      }
      case GroupedConvolution filter -> filter.output().size();
      case Concatenation fork -> {
        int size = 0;
        for (List<LayerShape> branch : fork.branches()) {
          int end = before;
          for (LayerShape inner : branch) {
            end = outputs(inner, end);
          }
          size += end;
        }
        yield size;
      }
      case Encoder encoder -> encoder.hidden();
      case Relu _, Relu6 _, BatchNorm _, Dropout _, CubeRoot _ -> before;
    };
  }

  private static Volume volume(int channels) {
    return new Volume(channels, PICTURE.height(), PICTURE.width());
  }

  private static Convolution filters(int stride, int padding, boolean bias) {
    return new Convolution("filters", PICTURE, 4, 3, stride, padding, bias);
  }

  private static Convolution same(int channels) {
    return new Convolution("same", volume(channels), channels, 3, 1, 1, false);
  }

  private static Residual shortcut() {
    Convolution narrow = new Convolution("narrow", volume(4), 3, 3, 2, 1, false);
    int area = narrow.output().area();
    return new Residual(
        List.of(narrow, new BatchNorm("norm", 3, area), new Relu()),
        List.of(
            new Convolution("straight", volume(4), 3, 1, 2, 0, false),
            new BatchNorm("straightNorm", 3, area)));
  }

  /** Each filter sees one channel, two rows and three columns apart. */
  private static GroupedConvolution grouped(int filters, int groups) {
    return new GroupedConvolution(
        "grouped",
        PICTURE,
        filters,
        Extent.square(3),
        new Extent(2, 1),
        Extent.square(1),
        groups,
        false);
  }

  private static GroupedConvolution oblong() {
    return new GroupedConvolution(
        "oblong", PICTURE, 3, new Extent(1, 4), new Extent(1, 2), new Extent(0, 2), 1, true);
  }

  private static Concatenation fork() {
    return new Concatenation(
        List.of(
            List.of(new Convolution("narrow", PICTURE, 3, 1, 1, 0, true), new Relu()),
            List.of(same(2), new BatchNorm("norm", 2, PICTURE.area()))));
  }

  static Architecture everything() {
    Convolution filters = filters(1, 1, false);
    return net(
        new CubeRoot(),
        filters,
        new BatchNorm("first", 4, filters.output().area()),
        new Relu(),
        new MaxPool(volume(4), 3, 1, 1),
        shortcut(),
        new Relu(),
        new AveragePool(new Volume(3, 3, 2)),
        new Dense("hidden", 3, 7),
        new Dropout(0.25));
  }

  static Engine engine(Architecture architecture) {
    return new Torch(TorchDevice.CPU).create(architecture);
  }

  static RandomStream random(long counter) {
    return new RandomStreams(17).stream(new Purpose("nets"), 0, counter);
  }
}
