package io.kindred.benchmarks;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Bytes;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.SparseKernels;
import io.kindred.core.weights.Weights;
import io.kindred.protocol.clustering.AffinityPropagation;
import io.kindred.protocol.clustering.AffinityRule;
import io.kindred.protocol.clustering.ExemplarClustering;
import io.kindred.protocol.signature.Precision;
import io.kindred.protocol.signature.Signature;
import io.kindred.protocol.signature.SignatureScorer;
import io.kindred.protocol.vrf.Vrf;
import io.kindred.protocol.vrf.VrfSecret;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Computations of the semantic overlay: cosines of signatures with 200,000 entries of the padded
 * vision model's 1.66 million weights, by gathering and by merging; affinity propagation over zones
 * of growing size; proofs of election.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {"--add-modules", "jdk.incubator.vector", "-Xmx4g"})
public class OverlayKernels {
  private static final int WEIGHTS = 1_663_370;
  private static final int ENTRIES = 200_000;
  private static final int SIGNATURES = 20;

  /** The work of one query at a super-peer with as many children as there are signatures. */
  @State(Scope.Thread)
  public static class Signatures {
    private final List<Signature> signatures = new ArrayList<>();
    private final SignatureScorer scorer = new SignatureScorer(WEIGHTS);

    @Setup
    public void draw() {
      Layout layout = Layout.builder().add("all", WEIGHTS).build();
      for (int s = 0; s < SIGNATURES; s++) {
        RandomStream random = new RandomStreams(s).stream(Purpose.DATA, 0, 0);
        float[] values = new float[WEIGHTS];
        for (int i = 0; i < WEIGHTS; i++) {
          values[i] = (float) random.nextGaussian();
        }
        signatures.add(
            Signature.mask(
                Weights.wrap(layout, values),
                SparseKernels.largest(values, ENTRIES),
                Precision.BFLOAT16));
      }
    }
  }

  /** Twenty cosines by gathering, the scattering and clearing included. */
  @Benchmark
  public double[] twentyCosinesGathered(Signatures state) {
    return state.scorer.cosines(state.signatures.getFirst(), state.signatures);
  }

  /** The reference: twenty cosines by merging. */
  @Benchmark
  public double twentyCosinesMerged(Signatures state) {
    double sum = 0;
    for (Signature each : state.signatures) {
      sum += state.signatures.getFirst().cosine(each);
    }
    return sum;
  }

  /** A zone of members in groups of ten, as similar as planted clusters are. */
  @State(Scope.Thread)
  public static class Zone {
    @Param({"20", "100", "400"})
    int members;

    private AffinityPropagation propagation =
        new AffinityPropagation(0, Floats.of(), Optional.empty(), AffinityRule.DEFAULT);

    @Setup
    public void draw() {
      RandomStream random = new RandomStreams(members).stream(Purpose.DATA, 0, 0);
      float[] matrix = new float[members * members];
      for (int i = 0; i < members; i++) {
        for (int j = 0; j < i; j++) {
          double similarity = i / 10 == j / 10 ? 0.7 : 0.1;
          matrix[i * members + j] = (float) (similarity + 0.2 * random.nextDouble());
          matrix[j * members + i] = matrix[i * members + j];
        }
      }
      propagation =
          new AffinityPropagation(
              members, Floats.wrap(matrix), Optional.empty(), AffinityRule.DEFAULT);
    }
  }

  @Benchmark
  public ExemplarClustering affinityPropagation(Zone zone) {
    return zone.propagation.apply();
  }

  /** A peer's key and proof. */
  @State(Scope.Thread)
  public static class Election {
    private final VrfSecret secret = VrfSecret.derive(new Digest(1, 2, 3, 4));
    private final Bytes key = secret.publicKey();
    private final Bytes alpha = Bytes.wrap(new byte[Digest.BYTES]);
    private final Bytes proof = Vrf.prove(secret, alpha);
  }

  @Benchmark
  public Bytes prove(Election election) {
    return Vrf.prove(election.secret, election.alpha);
  }

  @Benchmark
  public Optional<Digest> verify(Election election) {
    return Vrf.verify(election.key, election.alpha, election.proof);
  }
}
