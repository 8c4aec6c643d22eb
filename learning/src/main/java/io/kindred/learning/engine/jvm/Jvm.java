package io.kindred.learning.engine.jvm;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Optimizer;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.random.StreamKey;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.ByteFeatures;
import io.kindred.learning.data.Samples;
import io.kindred.learning.engine.Engine;
import io.kindred.learning.engine.EngineChoice;
import io.kindred.learning.engine.LocalTraining;
import io.kindred.learning.engine.SampleRows;
import io.kindred.learning.model.Architecture;
import io.kindred.learning.model.LayerShape;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The engine of this project's own kernels on the Vector API: no native library to load, fastest on
 * tiny models.
 */
@Named(
    value = "jvm",
    summary = "Kindred's own kernels on the Vector API; no native library to download")
public record Jvm() implements EngineChoice {
  private static final int WARM_UP_STEPS = 300;

  @Override
  public Engine create(Architecture architecture) {
    return new JvmEngine(architecture);
  }

  /**
   * Enough steps of a small network for the JIT compiler to compile the kernels of dense layers.
   */
  @Override
  public void warmUp() {
    int inputs = 256;
    int classes = 8;
    int rows = 20;
    Architecture small =
        new Architecture(
            List.of(
                new LayerShape.Dense("hidden", inputs, 17),
                new LayerShape.Relu(),
                new LayerShape.Dense("output", 17, classes)),
            inputs,
            classes);
    RandomStreams streams = new RandomStreams(0);
    int[] labels = new int[rows];
    Arrays.setAll(labels, row -> row % classes);
    Samples samples =
        new Samples(new ByteFeatures(new byte[rows * inputs], inputs, 1, 1), Ints.wrap(labels));
    Ticket.Train ticket =
        new Ticket.Train(
            small.initialWeights(streams.stream(Purpose.INITIAL_WEIGHTS, 0, 0)),
            Objective.plain(),
            DataView.own(DataView.Split.TRAIN),
            new Optimizer(0.01, 0, 0),
            10,
            new Ticket.Duration.Steps(WARM_UP_STEPS),
            new StreamKey(Purpose.BATCHES, 0, 0));
    SampleRows all = SampleRows.of(samples, Ints.wrap(IntStream.range(0, rows).toArray()));
    new LocalTraining(create(small)).train(ticket, all, streams.stream(ticket.shuffle()));
  }

  @Override
  public String description() {
    return "jvm, Vector API of " + Lanes.SPECIES.vectorBitSize() + " bits";
  }
}
