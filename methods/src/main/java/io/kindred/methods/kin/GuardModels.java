package io.kindred.methods.kin;

import io.kindred.core.compute.PureFunction;
import io.kindred.core.config.Named;
import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import io.kindred.core.weights.VectorKernels;
import io.kindred.core.weights.Weights;
import io.kindred.methods.discovery.CompareModels;
import io.kindred.protocol.discovery.Sketch;
import io.kindred.protocol.discovery.SketchRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Decides how much each pulled model counts in the mixed one.
 *
 * @param start the common initial weights
 * @param samples number of own training samples
 * @param sketching how pulled models are sketched; empty if no sketch is needed
 */
@Named("kin/guard-models")
@Buildable
public record GuardModels(
    MixSettings settings,
    Weights start,
    Weights own,
    int samples,
    List<PulledModel> models,
    Optional<SketchRule> sketching)
    implements PureFunction {
  /** Two differences, two squares and a product for each weight, and a sketch. */
  private static final long OPERATIONS_PER_ENTRY = 11;

  /**
   * A pulled model.
   *
   * @param samples number of training samples that the owner reports
   * @param age rounds since the owner last trained the model
   */
  @Buildable
  public record PulledModel(PeerId peer, Weights weights, int samples, int age) {}

  /**
   * How the models are mixed.
   *
   * @param ownWeight share of the own model
   * @param contributions in the order of the models
   * @param cappedSamples sample counts as they count, in the order of the models
   * @param sketches in the order of the models; empty if no sketch is needed
   */
  @Named("kin/guarded-models")
  @Buildable
  public record GuardedModels(
      double ownWeight,
      List<Contribution> contributions,
      List<Double> cappedSamples,
      List<Sketch> sketches)
      implements Answer {
    public GuardedModels {
      contributions = List.copyOf(contributions);
      cappedSamples = List.copyOf(cappedSamples);
      sketches = List.copyOf(sketches);
    }

    /** One model takes the place of the mixed one. */
    GuardedModels adopting(int index) {
      Contribution adopted =
          ContributionBuilder.from(contributions.get(index))
              .weight(1)
              .verdict(Contribution.Verdict.ACCEPTED)
              .build();
      return new GuardedModels(0, List.of(adopted), List.of(cappedSamples.get(index)), List.of());
    }
  }

  public GuardModels {
    models = List.copyOf(models);
  }

  @Override
  public GuardedModels apply() {
    List<Weights> weights = models.stream().map(PulledModel::weights).toList();
    CompareModels.Comparisons comparisons =
        new CompareModels(own, weights, start, sketching).apply();
    double[] cosines = new double[models.size()];
    double[] distances = new double[models.size()];
    for (int i = 0; i < cosines.length; i++) {
      Weights step = VectorKernels.minus(weights.get(i), own);
      // Other peers choose their weights: a square may exceed the range of a float.
      double square = VectorKernels.dot(step, step);
      Optional<Double> cosine = comparisons.cosines().get(i).filter(_ -> Double.isFinite(square));
      cosines[i] = cosine.orElse(Double.NaN);
      distances[i] = cosine.isPresent() ? Math.sqrt(square) : Double.NaN;
    }
    return weighted(cosines, distances, comparisons.sketches());
  }

  private GuardedModels weighted(double[] cosines, double[] distances, List<Sketch> sketches) {
    int count = models.size();
    double medianDistance = median(Arrays.stream(distances).filter(Double::isFinite).toArray());
    List<Double> capped = cappedSamples();
    double total = settings.sampleWeights() ? samples : 1;
    double[] kept = new double[count];
    Contribution.Verdict[] verdicts = new Contribution.Verdict[count];
    for (int i = 0; i < count; i++) {
      double share = settings.sampleWeights() ? capped.get(i) : 1;
      share *= StrictMath.pow(settings.ageFactor(), models.get(i).age());
      if (Double.isNaN(distances[i])) {
        verdicts[i] = Contribution.Verdict.INCOMPARABLE;
        continue;
      }
      // What the guard takes from a model goes to the own one, so it stays in the sum.
      total += share;
      verdicts[i] = verdict(cosines[i], distances[i], medianDistance);
      kept[i] =
          switch (verdicts[i]) {
            case ACCEPTED -> share;
            case SHORTENED -> share * settings.guardDistance() * medianDistance / distances[i];
            case FAR, OPPOSED, INCOMPARABLE -> 0;
          };
    }
    List<Contribution> contributions = new ArrayList<>();
    double others = 0;
    for (int i = 0; i < count; i++) {
      double weight = total > 0 ? kept[i] / total : 0;
      others += weight;
      contributions.add(
          new Contribution(
              models.get(i).peer(),
              weight,
              finiteOrZero(cosines[i]),
              medianDistance > 0 ? finiteOrZero(distances[i] / medianDistance) : 0,
              verdicts[i]));
    }
    return new GuardedModels(1 - others, contributions, capped, sketches);
  }

  private Contribution.Verdict verdict(double cosine, double distance, double medianDistance) {
    if (settings.guardDirection() && cosine <= 0) {
      return Contribution.Verdict.OPPOSED;
    }
    if (exceeds(distance, settings.guardDrop(), medianDistance)) {
      return Contribution.Verdict.FAR;
    }
    return exceeds(distance, settings.guardDistance(), medianDistance)
        ? Contribution.Verdict.SHORTENED
        : Contribution.Verdict.ACCEPTED;
  }

  private static boolean exceeds(double distance, double multiple, double medianDistance) {
    return multiple > 0 && distance > multiple * medianDistance;
  }

  /** No count above a multiple of the median of all pulled models. */
  private List<Double> cappedSamples() {
    double limit =
        settings.sampleCap() > 0
            ? settings.sampleCap()
                * median(models.stream().mapToDouble(PulledModel::samples).toArray())
            : Double.POSITIVE_INFINITY;
    return models.stream().map(each -> Math.min(each.samples(), limit)).toList();
  }

  /** The middle value, or the mean of the two middle ones; zero of no values. */
  static double median(double[] values) {
    if (values.length == 0) {
      return 0;
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  private static double finiteOrZero(double value) {
    return Double.isFinite(value) ? value : 0;
  }

  @Override
  public long operations() {
    return OPERATIONS_PER_ENTRY * start.size() * (1L + models.size());
  }
}
