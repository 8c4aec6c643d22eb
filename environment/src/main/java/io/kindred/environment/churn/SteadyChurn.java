package io.kindred.environment.churn;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.fault.FaultEvent;
import io.kindred.environment.fault.LivenessView;
import java.util.ArrayList;
import java.util.List;

/**
 * Between two rounds a fraction of the peers leaves and as many arrive (SemanticDFL, section 5.5):
 * peers that left in one round are back in the next, as themselves or as newcomers.
 */
@Named(
    value = "steady",
    summary = "a fraction of the peers leaves in each environment round and returns in the next")
public record SteadyChurn(
    @Setting(
            doc = "fraction of the peers that leaves in each environment round",
            fallback = "0.1",
            min = 0,
            max = 1)
        double rate,
    @Setting(
            doc = "share of the leaving peers that announce it",
            fallback = "0.5",
            min = 0,
            max = 1)
        double announced,
    @Setting(
            doc = "share of the returning peers that have lost their state",
            fallback = "0",
            min = 0,
            max = 1)
        double newcomers)
    implements ChurnModel {
  @Override
  public List<FaultEvent> eventsDuring(
      Interval interval, LivenessView liveness, RandomStreams streams) {
    RandomStream random = streams.stream(Purpose.CHURN, 0, interval.number());
    List<FaultEvent> faults = new ArrayList<>();
    List<Integer> up = new ArrayList<>();
    for (int peer = 0; peer < liveness.peers(); peer++) {
      if (liveness.isUp(peer)) {
        up.add(peer);
      } else {
        faults.add(new FaultEvent.Return(interval.startTick(), peer));
      }
    }
    // No peer leaves at the start of the run: none has done anything yet.
    int leaving = interval.number() == 0 ? 0 : (int) Math.round(rate * liveness.peers());
    int[] order = random.permutation(up.size());
    for (int i = 0; i < Math.min(leaving, up.size() - 1); i++) {
      int peer = up.get(order[i]);
      boolean announces = random.nextDouble() < announced;
      boolean forgets = random.nextDouble() < newcomers;
      faults.add(
          announces && !forgets
              ? new FaultEvent.Leave(interval.startTick(), peer)
              : new FaultEvent.Crash(interval.startTick(), peer, forgets));
    }
    return faults;
  }

  @Override
  public boolean isFaultFree() {
    return rate == 0;
  }
}
