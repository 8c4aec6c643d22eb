package io.kindred.experiment.tuning;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.experiment.tuning.SearchSpace.TunedKey;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Chooses the settings of the tries of one method; a function of the seed. */
final class TryPlanner {
  /** Draws after which a space counts as exhausted; the next draw would repeat a try again. */
  private static final int MOST_DRAWS = 1000;

  /** A grid above this size is not enumerated further: it has enough points for any budget. */
  private static final int MOST_POINTS = 1_000_000;

  private final RandomStreams streams;
  private final List<TunedKey> keys;

  TryPlanner(long seed, SearchSpace space) {
    this.streams = new RandomStreams(seed);
    this.keys = space.keys();
  }

  /**
   * The values of every try, in the order of the keys. The first try has the current values. There
   * are fewer tries than the budget only if the space has no more combinations.
   */
  List<List<String>> plan(TuningSearch search, int budget, List<String> current) {
    List<List<String>> tries = new ArrayList<>();
    tries.add(current);
    switch (search) {
      case RANDOM -> addRandom(budget, tries);
      case GRID -> addGrid(budget, tries);
    }
    return tries;
  }

  /**
   * The stream of a try is the same for every method, and the keys of training come first, so that
   * a try has the same learning rate for every method.
   */
  private void addRandom(int budget, List<List<String>> tries) {
    for (int number = 2; number <= budget; number++) {
      RandomStream random = streams.stream(Purpose.TUNING, 0, number);
      for (int draw = 0; draw < MOST_DRAWS && tries.size() < number; draw++) {
        List<String> values = draw(random);
        if (!tries.contains(values)) {
          tries.add(values);
        }
      }
    }
  }

  private List<String> draw(RandomStream random) {
    return keys.stream().map(key -> key.range().draw(random, key.whole())).toList();
  }

  /**
   * Points of the coarsest grid with enough points for the budget. A grid with more points than the
   * budget gives points in random order, because its first points differ only in the last keys.
   */
  private void addGrid(int budget, List<List<String>> tries) {
    List<List<String>> points = grid(1);
    for (int levels = 2; fresh(points, tries) < budget - 1; levels++) {
      List<List<String>> finer = grid(levels);
      // Whole numbers and lists do not become finer without end.
      if (levels > budget + 1 && finer.size() == points.size()) {
        break;
      }
      points = finer;
    }
    for (int index : streams.stream(Purpose.TUNING, 0, 0).permutation(points.size())) {
      if (tries.size() < budget && !tries.contains(points.get(index))) {
        tries.add(points.get(index));
      }
    }
  }

  private static long fresh(List<List<String>> points, List<List<String>> tries) {
    return points.stream().filter(point -> !tries.contains(point)).count();
  }

  private List<List<String>> grid(int levels) {
    List<List<String>> points = List.of(List.of());
    for (TunedKey key : keys) {
      List<String> values = key.range().levels(levels, key.whole());
      if ((long) points.size() * values.size() > MOST_POINTS) {
        values = values.subList(0, 1);
      }
      points = crossed(points, values);
    }
    return points;
  }

  private static List<List<String>> crossed(List<List<String>> points, List<String> values) {
    return IntStream.range(0, points.size() * values.size())
        .mapToObj(
            index -> {
              List<String> longer = new ArrayList<>(points.get(index / values.size()));
              longer.add(values.get(index % values.size()));
              return List.copyOf(longer);
            })
        .toList();
  }
}
