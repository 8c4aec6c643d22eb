package io.kindred.learning.engine;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Optimizer;
import io.kindred.core.compute.Ticket;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.random.StreamKey;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Weights;
import io.kindred.learning.data.Features;
import io.kindred.learning.data.FloatFeatures;
import io.kindred.learning.data.Samples;
import io.kindred.learning.model.Architecture;
import io.kindred.learning.model.LayerShape;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Small tables, models and tickets for tests of learning. */
public final class LearningFixtures {
  private LearningFixtures() {}

  private static Features features(float[][] rows) {
    int width = rows[0].length;
    float[] values = new float[rows.length * width];
    for (int i = 0; i < rows.length; i++) {
      System.arraycopy(rows[i], 0, values, i * width, width);
    }
    return new FloatFeatures(values, width);
  }

  public static Samples samples(float[][] inputs, int... labels) {
    return new Samples(features(inputs), Ints.of(labels));
  }

  public static Samples withTargets(Samples samples, float[][] targets) {
    return samples.withTargets(features(targets));
  }

  public static RandomStream random(long counter) {
    return new RandomStreams(11).stream(new Purpose("tables"), 0, counter);
  }

  public static Samples randomSamples(long seed, int count, int width, int classes) {
    RandomStream random = random(seed);
    float[][] inputs = new float[count][width];
    int[] labels = new int[count];
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < width; j++) {
        inputs[i][j] = (float) random.nextGaussian();
      }
      labels[i] = random.nextInt(classes);
    }
    return samples(inputs, labels);
  }

  public static SampleRows all(Samples samples) {
    return SampleRows.of(samples, Ints.wrap(IntStream.range(0, samples.count()).toArray()));
  }

  /** All rows in their own order. */
  public static Batch batch(SampleRows rows) {
    return new Batch(rows, IntStream.range(0, rows.count()).toArray(), 0, rows.count());
  }

  public static Architecture network(int inputs, int classes, int... hidden) {
    List<LayerShape> layers = new ArrayList<>();
    int width = inputs;
    for (int i = 0; i < hidden.length; i++) {
      layers.add(new LayerShape.Dense("hidden" + i, width, hidden[i]));
      layers.add(new LayerShape.Relu());
      width = hidden[i];
    }
    layers.add(new LayerShape.Dense("output", width, classes));
    return new Architecture(layers, inputs, classes);
  }

  public static Ticket.Train ticket(
      Weights from, Optimizer optimizer, int batch, Ticket.Duration duration) {
    return new Ticket.Train(
        from,
        Objective.plain(),
        DataView.own(DataView.Split.TRAIN),
        optimizer,
        batch,
        duration,
        new StreamKey(Purpose.BATCHES, 0, 1));
  }

  public static Ticket.Train withTerm(Ticket.Train ticket, Objective.Term term) {
    return new Ticket.Train(
        ticket.from(),
        new Objective(List.of(term)),
        ticket.view(),
        ticket.optimizer(),
        ticket.batch(),
        ticket.duration(),
        ticket.shuffle());
  }
}
