package io.kindred.learning.torch;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.ByteFeatures;
import io.kindred.learning.data.Samples;
import io.kindred.learning.engine.Batch;
import io.kindred.learning.engine.Engine;
import io.kindred.learning.engine.EngineChoice;
import io.kindred.learning.engine.SampleRows;
import io.kindred.learning.model.Architecture;
import io.kindred.learning.model.LayerShape;
import io.kindred.learning.model.Volume;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** PyTorch's native library: every layer kind, fastest on models with convolutions. */
@Named(value = "torch", summary = "PyTorch's native library; convolutions, large models, GPU")
public record Torch(
    @Setting(
            doc = "device that holds the tensors: cpu, or cuda for an NVIDIA GPU",
            fallback = "cpu")
        TorchDevice device)
    implements EngineChoice {
  private static final int WARM_UP_STEPS = 20;

  @Override
  public void prepare(Map<String, String> environment, Consumer<String> warn) {
    if (device == TorchDevice.CUDA) {
      Natives.requireCuda();
    } else {
      Natives.ensureLoaded();
    }
    ThreadVariables.warnings(environment).forEach(warn);
  }

  @Override
  public Engine create(Architecture architecture) {
    Natives.ensureLoaded();
    return new TorchEngine(architecture, device);
  }

  /**
   * Loads the library and runs a few kernels; if it cannot be loaded, the run itself reports it.
   */
  @Override
  public void warmUp() {
    try {
      prepare(Collections.emptyMap(), warning -> {});
    } catch (SettingException invalid) {
      return;
    }
    int side = 8;
    Volume picture = new Volume(1, side, side);
    LayerShape.Convolution filters =
        new LayerShape.Convolution("filters", picture, 4, 3, 1, 1, true);
    LayerShape.MaxPool pool = new LayerShape.MaxPool(filters.output(), 2, 2, 0);
    Architecture small =
        new Architecture(
            List.of(
                filters,
                new LayerShape.Relu(),
                pool,
                new LayerShape.Dense("output", pool.output().size(), 2)),
            picture.size(),
            2);
    Samples samples =
        new Samples(
            new ByteFeatures(new byte[4 * side * side], side * side, 1, 1), Ints.of(0, 1, 0, 1));
    Batch batch =
        new Batch(SampleRows.of(samples, Ints.of(0, 1, 2, 3)), new int[] {0, 1, 2, 3}, 0, 4);
    RandomStream random = new RandomStreams(0).stream(Purpose.INITIAL_WEIGHTS, 0, 0);
    float[] weights = small.initialWeights(random).copy();
    float[] gradient = new float[weights.length];
    Engine engine = create(small);
    for (int step = 0; step < WARM_UP_STEPS; step++) {
      engine.lossAndGradient(weights, batch, gradient, random);
    }
  }

  @Override
  public String description() {
    return Natives.description()
        + switch (device) {
          case CPU -> ", cpu";
          case CUDA -> ", cuda (not bit-reproducible)";
        };
  }
}
