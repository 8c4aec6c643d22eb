package io.kindred.benchmarks;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.SparseKernels;
import io.kindred.core.weights.VectorKernels;
import io.kindred.core.weights.Weights;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Kernels over the padded vision model's 1.66 million weights, beside a plain copy of as many bytes
 * as each reads: the machine's own limit. The working set is rotated so that nothing stays in cache
 * by accident.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {"--add-modules", "jdk.incubator.vector", "-Xmx4g"})
public class VectorKernelsBenchmark {
  private static final int SIZE = 1_663_370;
  private static final int MODELS = 20;
  private static final int ENTRIES = 200_000;

  private final List<Weights> models = new ArrayList<>();
  private final float[] copy = new float[SIZE];
  private final float[] dense = new float[SIZE];
  private int[] places = {};
  private float[] entries = {};
  private int turn;

  @Setup
  public void draw() {
    Layout layout = Layout.builder().add("all", SIZE).build();
    for (int m = 0; m < MODELS; m++) {
      RandomStream random = new RandomStreams(m).stream(Purpose.DATA, 0, 0);
      float[] values = new float[SIZE];
      for (int i = 0; i < SIZE; i++) {
        values[i] = (float) random.nextGaussian();
      }
      models.add(Weights.wrap(layout, values));
    }
    Ints largest = SparseKernels.largest(models.getFirst().shared(), ENTRIES);
    places = largest.copy();
    entries = new float[ENTRIES];
    for (int i = 0; i < ENTRIES; i++) {
      entries[i] = models.getFirst().get(places[i]);
    }
    SparseKernels.scatter(places, entries, dense);
  }

  private Weights next() {
    turn = (turn + 1) % MODELS;
    return models.get(turn);
  }

  /** The reference: reads and writes one model. */
  @Benchmark
  public float[] copyOneModel() {
    System.arraycopy(next().shared(), 0, copy, 0, SIZE);
    return copy;
  }

  /** Reads twenty models, writes one. */
  @Benchmark
  public Weights mixTwentyModels() {
    return VectorKernels.mix(Mixture.mean(models));
  }

  /** Reads two models; three products. */
  @Benchmark
  public double cosineOfTwoModels() {
    return VectorKernels.cosine(next(), next());
  }

  @Benchmark
  public Ints largestTwelvePercent() {
    return SparseKernels.largest(next().shared(), ENTRIES);
  }

  @Benchmark
  public float gatherTwelvePercent() {
    return SparseKernels.gatherDot(dense, places, entries);
  }
}
