package io.kindred.methods.rounds;

import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Layout;
import io.kindred.methods.contract.MixtureSources;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The models that a peer sends in one round.
 *
 * @param labelCounts how many training samples of each class the peer has, for methods that weight
 *     models by them
 */
public record ModelUpdate(List<SlotModel> models, Optional<Ints> labelCounts) {
  /**
   * No peer has more samples than that. The sum of the shares of a million peers is still exact to
   * twelve digits, and a false share cannot make it infinite.
   */
  public static final double MAX_SHARE = 1e9;

  public ModelUpdate {
    models = List.copyOf(models);
  }

  /** Models without label counts. */
  public ModelUpdate(List<SlotModel> models) {
    this(models, Optional.empty());
  }

  public static ModelUpdate of(SlotModel... models) {
    return new ModelUpdate(List.of(models));
  }

  /** The same models with label counts. */
  public ModelUpdate withLabelCounts(Ints counts) {
    return new ModelUpdate(models, Optional.of(counts));
  }

  /** The models with their owner and round, for observers. */
  Stream<MixtureSources.Source> sources(PeerId owner, int round, RoundAlgorithm<?> algorithm) {
    return models.stream()
        .map(
            model ->
                new MixtureSources.Source(
                    owner,
                    round,
                    model.weights(),
                    algorithm.sharesAreSamples() ? (int) model.share() : 0));
  }

  /** The slots of the models. */
  Ints slots() {
    return Ints.wrap(models.stream().mapToInt(SlotModel::slot).toArray());
  }

  /**
   * Whether there is a model, at most one in each slot, and every model has the layout and finite
   * weights: updates of other peers are not trusted.
   */
  boolean isValid(int slots, Layout layout) {
    return !models.isEmpty()
        && models.stream().map(SlotModel::slot).distinct().count() == models.size()
        && models.stream()
            .allMatch(
                model ->
                    model.slot() >= 0
                        && model.slot() < slots
                        && model.share() >= 0
                        && model.share() <= MAX_SHARE
                        && model.weights().layout().equals(layout)
                        && model.weights().isFinite())
        && labelCounts.stream()
            .allMatch(counts -> Arrays.stream(counts.shared()).allMatch(count -> count >= 0));
  }
}
