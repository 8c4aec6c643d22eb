package io.kindred.protocol.clustering;

import io.kindred.core.compute.PureFunction;
import io.kindred.core.config.Named;
import io.kindred.core.weights.Floats;
import io.kindred.protocol.signature.Prototypes;
import io.kindred.protocol.signature.Signature;
import io.kindred.protocol.signature.SignatureScorer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a zone's initiator computes from its members' signatures (SemanticDFL, section 3.3.2): all
 * cosines, clusters by affinity propagation, and a prototype of each. Members are best listed by
 * peer id, for ties go to those listed first. Clusters of more than {@code maxClusterSize} members
 * are split.
 */
@Named("overlay/cluster-signatures")
public record ClusterSignatures(
    List<Signature> signatures, int entries, int maxClusterSize, AffinityRule rule)
    implements PureFunction {
  /** For {@link #maxClusterSize}: clusters of any size, and any number of them. */
  public static final int ANY_SIZE = Integer.MAX_VALUE;

  /** Clusters of positions in the list, and their prototypes in the same order. */
  @Named("overlay/clustered-signatures")
  public record Clustered(ExemplarClustering clustering, List<Signature> prototypes)
      implements Answer {
    public Clustered {
      prototypes = List.copyOf(prototypes);
    }
  }

  public ClusterSignatures {
    signatures = List.copyOf(signatures);
  }

  @Override
  public Clustered apply() {
    Floats similarities = similarities();
    ExemplarClustering natural = propagation(similarities).apply();
    ExemplarClustering exemplarClustering =
        maxClusterSize == ANY_SIZE
            ? natural
            : new FanOut(signatures.size(), similarities, maxClusterSize).limit(natural);
    List<Signature> prototypes = new ArrayList<>();
    for (int cluster = 0; cluster < exemplarClustering.count(); cluster++) {
      List<Signature> members =
          exemplarClustering.members(cluster).stream().map(signatures::get).toList();
      prototypes.add(Prototypes.of(members, entries));
    }
    return new Clustered(exemplarClustering, prototypes);
  }

  private AffinityPropagation propagation(Floats similarities) {
    return new AffinityPropagation(signatures.size(), similarities, Optional.empty(), rule);
  }

  /** Each pair is compared once: the two directions would differ in their last bits. */
  private Floats similarities() {
    int size = signatures.size();
    float[] matrix = new float[size * size];
    SignatureScorer scorer = new SignatureScorer(size == 0 ? 0 : signatures.getFirst().dimension());
    for (int i = 0; i < size; i++) {
      matrix[i * size + i] = 1;
      double[] row = scorer.cosines(signatures.get(i), signatures.subList(i + 1, size));
      for (int j = i + 1; j < size; j++) {
        matrix[i * size + j] = (float) row[j - i - 1];
        matrix[j * size + i] = matrix[i * size + j];
      }
    }
    return Floats.wrap(matrix);
  }

  @Override
  public long operations() {
    long size = signatures.size();
    long gathered = 0;
    for (Signature signature : signatures) {
      gathered += signature.size();
    }
    return size * gathered + AffinityPropagation.operations(size, rule);
  }
}
