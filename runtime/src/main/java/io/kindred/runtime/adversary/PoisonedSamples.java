package io.kindred.runtime.adversary;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.environment.adversary.Poison;
import io.kindred.learning.data.AddedRows;
import io.kindred.learning.data.StampedFeatures.Stamp;
import io.kindred.learning.partition.Holdout.PeerSplit;
import io.kindred.learning.training.PeerDatasets;
import io.kindred.runtime.config.Experiment;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * Poisons the training samples of hostile peers. Poisoned samples are rows of their own, so no
 * honest peer that shares a sample trains on it, and test samples stay as they are.
 */
public final class PoisonedSamples {
  private static final Purpose TRIGGERED = new Purpose("adversary-triggered");

  private final PeerDatasets datasets;
  private final SortedSet<Integer> hostile;
  private final RandomStreams streams;
  private final List<AddedRows.Row> stamped = new ArrayList<>();
  private final List<AddedRows.Row> plain = new ArrayList<>();

  private PoisonedSamples(
      PeerDatasets datasets, SortedSet<Integer> hostile, RandomStreams streams) {
    this.datasets = datasets;
    this.hostile = hostile;
    this.streams = streams;
  }

  /** The data sets of an experiment with the samples of its hostile peers poisoned. */
  public static PeerDatasets of(Experiment experiment, PeerDatasets datasets) {
    SortedSet<Integer> hostile = experiment.hostilePeers();
    if (hostile.isEmpty()) {
      return datasets;
    }
    return experiment
        .adversaries()
        .behaviour()
        .poison()
        .map(
            poison ->
                new PoisonedSamples(datasets, hostile, new RandomStreams(experiment.seed()))
                    .with(poison))
        .orElse(datasets);
  }

  private PeerDatasets with(Poison poison) {
    int classes = datasets.dataset().classes();
    if (classes < 2) {
      throw new SettingException(
          "adversaries.behaviour",
          "the data set has no classes whose labels a peer could falsify",
          "choose a behaviour that falsifies models, such as sign-flip");
    }
    return switch (poison) {
      case Poison.FlippedLabels flipped -> flipped(flipped, classes);
      case Poison.Trigger trigger -> {
        if (trigger.target() >= classes) {
          throw new SettingException(
              "adversaries.behaviour.target",
              "there is no class " + trigger.target() + " among " + classes,
              "choose from 0 to " + (classes - 1));
        }
        yield triggered(trigger);
      }
    };
  }

  private PeerDatasets flipped(Poison.FlippedLabels poison, int classes) {
    int rows = datasets.dataset().train().count();
    SortedMap<Integer, Ints> trained = new TreeMap<>();
    for (int peer : hostile) {
      Ints samples = train(poison.sharedSamples() ? hostile.first() : peer);
      int from = rows + plain.size();
      for (int i = 0; i < samples.size(); i++) {
        plain.add(new AddedRows.Row(samples.get(i), classes - 1 - label(samples.get(i))));
      }
      trained.put(peer, range(from, samples.size()));
    }
    return datasets.withAddedRows(
        new AddedRows(List.of(), plain, new Stamp(0, 0)), splits(trained), List.of());
  }

  private PeerDatasets triggered(Poison.Trigger trigger) {
    int rows = datasets.dataset().train().count();
    SortedMap<Integer, Ints> trained = new TreeMap<>();
    List<Ints> tested = new ArrayList<>();
    for (int peer = 0; peer < datasets.splits().size(); peer++) {
      if (hostile.contains(peer)) {
        trained.put(peer, withTrigger(peer, trigger, rows));
      }
      tested.add(tested(peer, trigger.target(), rows));
    }
    return datasets.withAddedRows(
        new AddedRows(stamped, List.of(), new Stamp(trigger.side(), (float) trigger.value())),
        splits(trained),
        tested);
  }

  /** The training samples of a hostile peer, some of them replaced by samples with the trigger. */
  private Ints withTrigger(int peer, Poison.Trigger trigger, int rows) {
    int[] samples = train(peer).copy();
    int[] order = streams.stream(TRIGGERED, peer, 0).permutation(samples.length);
    int count = (int) Math.round(trigger.share() * samples.length);
    for (int i = 0; i < count; i++) {
      stamped.add(new AddedRows.Row(samples[order[i]], trigger.target()));
      samples[order[i]] = rows + stamped.size() - 1;
    }
    return Ints.wrap(samples);
  }

  /** The test samples of other classes, with the trigger. */
  private Ints tested(int peer, int target, int rows) {
    Ints test = datasets.splits().get(peer).test();
    int from = rows + stamped.size();
    for (int i = 0; i < test.size(); i++) {
      if (label(test.get(i)) != target) {
        stamped.add(new AddedRows.Row(test.get(i), target));
      }
    }
    return range(from, rows + stamped.size() - from);
  }

  private Ints train(int peer) {
    return datasets.splits().get(peer).train();
  }

  private int label(int row) {
    return datasets.dataset().train().labels().get(row);
  }

  private static Ints range(int from, int count) {
    int[] rows = new int[count];
    for (int i = 0; i < count; i++) {
      rows[i] = from + i;
    }
    return Ints.wrap(rows);
  }

  private List<PeerSplit> splits(SortedMap<Integer, Ints> trained) {
    List<PeerSplit> splits = new ArrayList<>();
    for (int peer = 0; peer < datasets.splits().size(); peer++) {
      PeerSplit split = datasets.splits().get(peer);
      Ints train = trained.get(peer);
      splits.add(train == null ? split : new PeerSplit(train, split.validation(), split.test()));
    }
    return splits;
  }
}
