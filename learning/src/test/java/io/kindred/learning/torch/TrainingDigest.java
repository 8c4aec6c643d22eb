package io.kindred.learning.torch;

import io.kindred.learning.engine.Batch;
import io.kindred.learning.engine.Engine;
import io.kindred.learning.engine.LearningFixtures;
import io.kindred.learning.engine.SampleRows;
import io.kindred.learning.model.Architecture;
import java.util.Arrays;
import java.util.Map;

/** Trains a little and prints a digest of the weights; tests start it in separate processes. */
final class TrainingDigest {
  private TrainingDigest() {}

  public static void main(String[] arguments) {
    System.out.println("digest " + digest());
  }

  /** The digests of a short training with every kind of layer and of one of a dense network. */
  static String digest() {
    new Torch(TorchDevice.CPU).prepare(Map.of(), warning -> {});
    return train(TestNetworks.everything()) + " " + train(LearningFixtures.network(784, 10, 64));
  }

  private static String train(Architecture architecture) {
    SampleRows rows =
        LearningFixtures.all(
            LearningFixtures.randomSamples(1, 64, architecture.inputs(), architecture.outputs()));
    float[] weights = architecture.initialWeights(TestNetworks.random(1)).copy();
    float[] gradient = new float[weights.length];
    Engine engine = TestNetworks.engine(architecture);
    for (int step = 0; step < 30; step++) {
      int from = step % 2 * 32;
      Batch batch = new Batch(rows, TestNetworks.random(2).permutation(64), from, from + 32);
      engine.lossAndGradient(weights, batch, gradient, TestNetworks.random(step));
      for (int i = 0; i < weights.length; i++) {
        weights[i] -= 0.01f * gradient[i];
      }
    }
    return Integer.toHexString(Arrays.hashCode(weights));
  }
}
