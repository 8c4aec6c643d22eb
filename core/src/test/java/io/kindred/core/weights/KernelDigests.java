package io.kindred.core.weights;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The results of every kernel on fixed inputs of awkward sizes, as one digest per kernel and size.
 * Tests also start it in virtual machines with other options.
 */
final class KernelDigests {
  private static final int[] SIZES = {0, 1, 15, 16, 17, 1000, 4099};
  private static final int PARTS = 7;

  private final List<Inputs> inputs = IntStream.of(SIZES).mapToObj(Inputs::new).toList();

  public static void main(String[] arguments) {
    new KernelDigests().all().forEach(System.out::println);
  }

  /** Drawn once, so that repetitions spend their time in the kernels. */
  private static final class Inputs {
    private final int size;
    private final float[] x;
    private final float[] y;
    private final Weights first;
    private final Weights second;
    private final Mixture mixture;
    private final int[] places;

    Inputs(int size) {
      this.size = size;
      RandomStream random = new RandomStreams(5).stream(new Purpose("kernels"), 0, size);
      // One more than the size, so that kernels also start at an odd offset.
      x = values(random, size + 1);
      y = values(random, size + 1);
      Layout layout = Layout.builder().add("all", size + 1).build();
      first = Weights.copyOf(layout, x);
      second = Weights.copyOf(layout, y);
      List<MixturePart> parts = new ArrayList<>();
      for (int i = 0; i < PARTS; i++) {
        Weights weights = Weights.wrap(layout, values(random, size + 1));
        parts.add(new MixturePart(weights, random.nextGaussian()));
      }
      mixture = new Mixture(parts);
      places = IntStream.of(random.permutation(2 * size + 1)).limit(size).map(i -> i / 2).toArray();
    }

    /** Sizes that differ widely, so that any other order of a sum changes its last bits. */
    private static float[] values(RandomStream random, int count) {
      float[] values = new float[count];
      for (int i = 0; i < count; i++) {
        values[i] = (float) (random.nextGaussian() * StrictMath.exp(random.uniform(-6, 6)));
      }
      return values;
    }
  }

  List<String> all() {
    List<String> digests = new ArrayList<>();
    for (Inputs each : inputs) {
      digests.add("axpy " + each.size + " " + axpy(each));
      digests.add(
          "dot " + each.size + " " + bits(VectorKernels.dot(each.x, 1, each.y, 0, each.size)));
      digests.add(
          "cosine " + each.size + " " + bits(VectorKernels.cosine(each.first, each.second)));
      digests.add("mix " + each.size + " " + hash(VectorKernels.mix(each.mixture).shared()));
      digests.add(
          "largest " + each.size + " " + SparseKernels.largest(each.x, each.size / 3).hashCode());
      digests.add("scatter " + each.size + " " + scatter(each));
      digests.add("gather " + each.size + " " + gather(each));
    }
    return digests;
  }

  private static String axpy(Inputs inputs) {
    float[] sum = inputs.y.clone();
    VectorKernels.axpy(0.3f, inputs.x, 0, sum, 1, inputs.size);
    return hash(sum);
  }

  private static String scatter(Inputs inputs) {
    float[] dense = new float[inputs.size + 1];
    SparseKernels.scatter(inputs.places, inputs.x, dense);
    String scattered = hash(dense);
    SparseKernels.clear(Arrays.copyOf(inputs.places, inputs.size / 2), dense);
    return scattered + " " + hash(dense);
  }

  private static String gather(Inputs inputs) {
    return bits(
        SparseKernels.gatherDot(
            inputs.x, inputs.places, Arrays.copyOf(inputs.y, inputs.places.length)));
  }

  private static String bits(double value) {
    return Long.toHexString(Double.doubleToRawLongBits(value));
  }

  private static String hash(float[] values) {
    return Integer.toHexString(Arrays.hashCode(values));
  }
}
