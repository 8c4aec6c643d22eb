package io.kindred.environment.churn;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.peer.Ticks;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.fault.FaultEvent;
import io.kindred.environment.fault.LivenessView;
import java.util.ArrayList;
import java.util.List;

/** A share of the peers is down from the first tick, and starts while the others already learn. */
@Named(value = "arrivals", summary = "a share of the peers joins the running network late")
public record LateArrivals(
    @Setting(doc = "share of the peers that joins late", fallback = "0.2", min = 0, max = 0.9)
        double share,
    @Setting(doc = "seconds after which the first of them may join", fallback = "60", above = 0)
        double fromSeconds,
    @Setting(
            doc = "seconds after which all of them have joined; each joins at a random time",
            fallback = "120",
            above = 0)
        double toSeconds)
    implements ChurnModel {
  public LateArrivals {
    if (toSeconds < fromSeconds) {
      throw new SettingException(
          "churn.toSeconds",
          toSeconds + " seconds are before the first arrival at " + fromSeconds,
          "write churn.toSeconds of at least churn.fromSeconds");
    }
  }

  @Override
  public List<FaultEvent> eventsDuring(
      Interval interval, LivenessView liveness, RandomStreams streams) {
    List<FaultEvent> faults = new ArrayList<>();
    if (interval.number() > 0) {
      return faults;
    }
    RandomStream random = streams.stream(Purpose.CHURN, 0, 0);
    int[] order = random.permutation(liveness.peers());
    int late = Math.min((int) Math.round(share * liveness.peers()), liveness.peers() - 1);
    for (int i = 0; i < late; i++) {
      faults.add(new FaultEvent.Crash(interval.startTick(), order[i], true));
      double seconds = fromSeconds + random.nextDouble() * (toSeconds - fromSeconds);
      faults.add(new FaultEvent.Return(interval.startTick() + Ticks.ofSeconds(seconds), order[i]));
    }
    return faults;
  }

  @Override
  public boolean isFaultFree() {
    return share == 0;
  }
}
