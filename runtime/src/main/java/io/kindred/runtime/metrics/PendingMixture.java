package io.kindred.runtime.metrics;

import io.kindred.core.peer.Observation.MixedModel;
import io.kindred.core.peer.Observation.ModelsMixed;
import io.kindred.core.peer.PeerId;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Whose models a peer has mixed since it last deployed a model.
 *
 * @param slots for each of the peer's models that was mixed, the models of others in it
 */
record PendingMixture(SortedMap<Integer, List<MixedModel>> slots) {
  static final PendingMixture NONE = new PendingMixture(new TreeMap<>());

  /**
   * The same after one more mixture. What was mixed into the slot before counts by the weight of
   * the own model in the new mixture. A model whose owner was mixed before takes the place of the
   * earlier one, because a peer that restarts repeats an interrupted mixture.
   */
  PendingMixture with(ModelsMixed mixed) {
    List<PeerId> owners = mixed.models().stream().map(MixedModel::peer).toList();
    List<MixedModel> models = new ArrayList<>();
    for (MixedModel before : slots.getOrDefault(mixed.slot(), List.of())) {
      if (!owners.contains(before.peer())) {
        models.add(weighted(before, mixed.ownWeight()));
      }
    }
    models.addAll(mixed.models());
    SortedMap<Integer, List<MixedModel>> next = new TreeMap<>(slots);
    next.put(mixed.slot(), List.copyOf(models));
    return new PendingMixture(next);
  }

  /** The models of all slots; a peer with several models has as large a part of each. */
  List<MixedModel> models() {
    double share = 1.0 / Math.max(1, slots.size());
    return slots.values().stream()
        .flatMap(List::stream)
        .map(each -> slots.size() == 1 ? each : weighted(each, share))
        .toList();
  }

  private static MixedModel weighted(MixedModel model, double factor) {
    return new MixedModel(
        model.peer(), model.round(), model.weight() * factor, model.samples(), model.treatment());
  }
}
