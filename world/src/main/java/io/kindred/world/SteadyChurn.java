package io.kindred.world;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.settings.Named;
import io.kindred.core.settings.Setting;
import java.util.ArrayList;
import java.util.List;

/**
 * Between two rounds a fraction of the peers leaves and as many arrive (SemanticDFL, section 5.5):
 * those who left in one round are back in the next, as themselves or as newcomers.
 */
@Named(value = "steady", summary = "a fraction leaves each round and as many arrive")
public record SteadyChurn(
    @Setting(doc = "fraction of the peers that leaves", fallback = "0.1", min = 0, max = 1)
        double rate,
    @Setting(doc = "share of the leaving that says so before", fallback = "0.5", min = 0, max = 1)
        double announced,
    @Setting(
            doc = "share of the arriving that has forgotten everything",
            fallback = "0",
            min = 0,
            max = 1)
        double newcomers)
    implements Churn {
  @Override
  public List<Change> during(Round round, Presence presence, RandomStreams streams) {
    RandomStream random = streams.stream(Purpose.CHURN, 0, round.number());
    List<Change> changes = new ArrayList<>();
    List<Integer> up = new ArrayList<>();
    for (int peer = 0; peer < presence.peers(); peer++) {
      if (presence.isUp(peer)) {
        up.add(peer);
      } else {
        changes.add(new Change.Return(round.startTick(), peer));
      }
    }
    // Nobody has done anything yet when the run begins.
    int leaving = round.number() == 0 ? 0 : (int) Math.round(rate * presence.peers());
    int[] order = random.permutation(up.size());
    for (int i = 0; i < Math.min(leaving, up.size() - 1); i++) {
      int peer = up.get(order[i]);
      boolean announces = random.nextDouble() < announced;
      boolean forgets = random.nextDouble() < newcomers;
      changes.add(
          announces && !forgets
              ? new Change.Leave(round.startTick(), peer)
              : new Change.Crash(round.startTick(), peer, forgets));
    }
    return changes;
  }

  @Override
  public boolean isCalm() {
    return rate == 0;
  }
}
