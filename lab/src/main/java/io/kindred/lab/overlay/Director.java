package io.kindred.lab.overlay;

import io.kindred.core.random.RandomStreams;
import io.kindred.world.Change;
import io.kindred.world.Churn;
import io.kindred.world.Presence;
import java.util.ArrayList;
import java.util.List;

/** Lets happen to peers what a study wants, at the next turn of the world. */
final class Director implements Churn {
  private final List<Change> wanted = new ArrayList<>();

  void want(Change change) {
    wanted.add(change);
  }

  @Override
  public List<Change> during(Round round, Presence presence, RandomStreams streams) {
    List<Change> now = List.copyOf(wanted);
    wanted.clear();
    return now;
  }
}
