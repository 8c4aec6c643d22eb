package io.kindred.learning.torch;

import io.kindred.learning.engine.Batch;
import io.kindred.learning.engine.Engine;
import io.kindred.learning.engine.Rows;
import io.kindred.learning.engine.Tables;
import io.kindred.learning.model.Architecture;
import java.util.Arrays;
import java.util.Map;

/** Trains a little and prints a digest of the weights; tests start it in processes of its own. */
final class Probe {
  private Probe() {}

  public static void main(String[] arguments) {
    System.out.println("digest " + digest());
  }

  /** Of a short training with every kind of layer and one of a dense network. */
  static String digest() {
    new Torch(TorchDevice.CPU).prepare(Map.of(), warning -> {});
    return train(Nets.everything()) + " " + train(Tables.network(784, 10, 64));
  }

  private static String train(Architecture architecture) {
    Rows rows =
        Tables.all(Tables.randomSamples(1, 64, architecture.inputs(), architecture.outputs()));
    float[] weights = architecture.initial(Nets.random(1)).copy();
    float[] gradient = new float[weights.length];
    Engine engine = Nets.engine(architecture);
    for (int step = 0; step < 30; step++) {
      int from = step % 2 * 32;
      Batch batch = new Batch(rows, Nets.random(2).permutation(64), from, from + 32);
      engine.slope(weights, batch, gradient, Nets.random(step));
      for (int i = 0; i < weights.length; i++) {
        weights[i] -= 0.01f * gradient[i];
      }
    }
    return Integer.toHexString(Arrays.hashCode(weights));
  }
}
