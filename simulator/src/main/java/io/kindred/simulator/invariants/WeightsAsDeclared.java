package io.kindred.simulator.invariants;

import io.kindred.core.peer.PeerId;
import io.kindred.simulator.invariants.DeliveredModels.Delivered;
import java.util.List;
import java.util.Locale;
import java.util.function.IntUnaryOperator;

/**
 * The weights of a mixture follow the rule that its peer observes: the numbers of samples, which
 * are those that the owners hold; equal weights; or the numbers of neighbours.
 */
final class WeightsAsDeclared extends MixtureListener {
  private final int peers;
  private final IntUnaryOperator samples;

  /**
   * Checks weights and reported numbers of samples.
   *
   * @param samples number of training samples of each peer, negative where it is not known
   */
  WeightsAsDeclared(DeliveredModels delivered, int peers, IntUnaryOperator samples) {
    super(delivered);
    this.peers = peers;
    this.samples = samples;
  }

  @Override
  void mixed(ObservedMixture mixture) {
    List<ReceivedPart> parts = receivedParts(mixture);
    for (ReceivedPart each : parts) {
      // The model of a cluster counts with the samples of all its members.
      boolean own = each.messages().stream().noneMatch(Delivered::stepwise);
      int held = own ? samplesOf(each.model().peer()) : -1;
      if (each.model().samples() > 0 && held >= 0 && each.model().samples() != held) {
        throw violation(
            mixture,
            String.format(
                Locale.ROOT,
                "%s counts with %d samples, but has %d",
                each.model().peer(),
                each.model().samples(),
                held));
      }
    }
    switch (mixture.mixed().weighting()) {
      case SAMPLES -> checkSamples(mixture, parts);
      case EQUAL -> checkEqual(mixture, parts);
      case DEGREES -> checkDegrees(mixture, parts);
      // MassIsConserved checks the one, and nothing but the peer knows the other.
      case MASS, ESTIMATED -> {}
    }
  }

  private int samplesOf(PeerId peer) {
    return peer.number() < peers ? samples.applyAsInt((int) peer.number()) : -1;
  }

  private void checkSamples(ObservedMixture mixture, List<ReceivedPart> parts) {
    double total = 0;
    double weights = 0;
    for (ReceivedPart each : parts) {
      total += each.model().samples();
      weights += each.model().weight();
    }
    int own = samplesOf(mixture.peer());
    boolean averagesClusters =
        parts.stream().flatMap(each -> each.messages().stream()).anyMatch(Delivered::stepwise);
    if (mixture.mixed().ownWeight() > 0 && own > 0 && !averagesClusters) {
      total += own;
      weights += mixture.mixed().ownWeight();
    }
    for (ReceivedPart each : parts) {
      if (total > 0 && !isNear(each.model().weight(), weights * each.model().samples() / total)) {
        throw violation(
            mixture,
            String.format(
                Locale.ROOT,
                "%s counts with a share of %s, but has %d of %.0f samples",
                each.model().peer(),
                each.model().weight(),
                each.model().samples(),
                total));
      }
    }
  }

  private void checkEqual(ObservedMixture mixture, List<ReceivedPart> parts) {
    if (parts.isEmpty()) {
      return;
    }
    double first = parts.getFirst().model().weight();
    for (ReceivedPart each : parts) {
      if (!isNear(each.model().weight(), first)) {
        throw violation(
            mixture,
            String.format(
                Locale.ROOT,
                "models count the same, but %s has a share of %s and %s one of %s",
                parts.getFirst().model().peer(),
                first,
                each.model().peer(),
                each.model().weight()));
      }
    }
    double models = mixture.mixed().ownWeight() / first;
    if (mixture.peer().number() < peers && Math.abs(models - Math.rint(models)) > 1e-6) {
      throw violation(
          mixture,
          String.format(Locale.ROOT, "the own model counts as %s models of others", models));
    }
  }

  /** The own number of neighbours is the one unknown; it is at least the number of models. */
  private void checkDegrees(ObservedMixture mixture, List<ReceivedPart> parts) {
    double own = Double.POSITIVE_INFINITY;
    for (ReceivedPart each : parts) {
      own = Math.min(own, 1 / each.model().weight() - 1);
    }
    for (ReceivedPart each : parts) {
      double larger = 1 / each.model().weight() - 1;
      double fewest = own;
      boolean right =
          own >= parts.size() - 1e-6
              && each.messages().stream()
                  .anyMatch(
                      message -> Math.abs(larger - Math.max(fewest, message.degree())) <= 1e-6);
      if (!right) {
        throw violation(
            mixture,
            String.format(
                Locale.ROOT,
                "%s, which sent %s, has a share of %s among %d models",
                each.model().peer(),
                each.messages(),
                each.model().weight(),
                parts.size()));
      }
    }
  }

  private Violation violation(ObservedMixture mixture, String problem) {
    return new Violation(
        getClass(), mixture.tick(), "in a mixture of " + mixture.peer() + " " + problem);
  }
}
