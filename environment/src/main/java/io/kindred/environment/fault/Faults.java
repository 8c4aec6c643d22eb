package io.kindred.environment.fault;

import io.kindred.core.config.Setting;
import io.kindred.core.peer.Ticks;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.record.Buildable;
import io.kindred.core.weights.Ints;
import java.util.ArrayList;
import java.util.List;

/**
 * Faults beside churn: random faults of single messages, and faults of peers and links at a rate
 * per round of {@code network.roundSeconds}.
 */
@Buildable
public record Faults(
    @Setting(doc = "probability that a message is lost", fallback = "0", min = 0, max = 1)
        double loss,
    @Setting(doc = "probability that a message arrives twice", fallback = "0", min = 0, max = 1)
        double duplicate,
    @Setting(
            doc = "probability that a message is delayed, so that later ones may overtake it",
            fallback = "0",
            min = 0,
            max = 1)
        double delay,
    @Setting(doc = "longest delay of a message in seconds", fallback = "5", above = 0)
        double delaySeconds,
    @Setting(doc = "probability that a message arrives damaged", fallback = "0", min = 0, max = 1)
        double corrupt,
    @Setting(
            doc = "probability that a message arrives but its sender is told that it was lost",
            fallback = "0",
            min = 0,
            max = 1)
        double misreport,
    @Setting(
            doc = "probability that a peer crashes in an environment round",
            fallback = "0",
            min = 0,
            max = 1)
        double crashes,
    @Setting(
            doc = "share of the crashes in which a peer loses its state",
            fallback = "0",
            min = 0,
            max = 1)
        double forgetful,
    @Setting(
            doc = "probability that a peer pauses in an environment round",
            fallback = "0",
            min = 0,
            max = 1)
        double pauses,
    @Setting(
            doc = "probability that a peer is slow for a time in an environment round",
            fallback = "0",
            min = 0,
            max = 1)
        double slow,
    @Setting(doc = "factor by which a slow peer is slower", fallback = "10", min = 1)
        double slowdown,
    @Setting(
            doc = "probability that the network splits into two parts in an environment round",
            fallback = "0",
            min = 0,
            max = 1)
        double splits,
    @Setting(
            doc = "mean number of one-way link failures between two peers in an environment round",
            fallback = "0",
            min = 0)
        double cuts,
    @Setting(
            doc = "largest share of the time by which a peer's clock runs fast or slow",
            fallback = "0",
            min = 0,
            max = 0.5)
        double drift,
    @Setting(
            doc = "probability that the server restarts in an environment round",
            fallback = "0",
            min = 0,
            max = 1)
        double serverCrashes,
    @Setting(
            doc =
                "seconds of virtual time after which the server stops until all faults end; 0 means"
                    + " never",
            fallback = "0",
            min = 0)
        double serverStopSeconds,
    @Setting(
            doc = "seconds of virtual time after which faults and churn end; 0 means never",
            fallback = "0",
            min = 0)
        double untilSeconds)
    implements FaultSource {
  /** No faults. */
  public static final Faults NONE = builder().build();

  /** Starts with no faults, and with the same defaults as an experiment file. */
  public static FaultsBuilder builder() {
    return FaultsBuilder.builder().delaySeconds(5).slowdown(10);
  }

  /** The faults of one message. */
  public record MessageFault(
      boolean lost, boolean duplicated, long delayTicks, boolean corrupted, boolean misreported) {
    /** The message arrives once, unharmed and without delay. */
    public static final MessageFault NONE = new MessageFault(false, false, 0, false, false);
  }

  /** Whether every message arrives once, unharmed and without delay. */
  public boolean hasNoMessageFaults() {
    return loss + duplicate + delay + corrupt + misreport == 0;
  }

  @Override
  public boolean isFaultFree() {
    return hasNoMessageFaults()
        && crashes + serverCrashes + serverStopSeconds + pauses + slow + splits + cuts + drift == 0;
  }

  /** The faults of a message, drawn from its own random stream. */
  public MessageFault drawMessageFault(RandomStream random) {
    boolean lost = random.nextDouble() < loss;
    boolean duplicated = random.nextDouble() < duplicate;
    boolean delayed = random.nextDouble() < delay;
    long ticks = Ticks.ofSeconds(delaySeconds * random.nextDouble());
    boolean corrupted = random.nextDouble() < corrupt;
    boolean misreported = random.nextDouble() < misreport;
    return new MessageFault(lost, duplicated, delayed ? ticks : 0, corrupted, misreported);
  }

  /** The factor by which a participant's clock runs fast. */
  public double clockRate(int participant, RandomStreams streams) {
    return drift == 0
        ? 1
        : 1 + streams.stream(Purpose.FAULTS, participant, -1).uniform(-drift, drift);
  }

  /** The tick at which all faults end; never, unless configured. */
  public long endTick() {
    return untilSeconds == 0 ? Long.MAX_VALUE : Ticks.ofSeconds(untilSeconds);
  }

  @Override
  public List<FaultEvent> eventsDuring(
      Interval interval, LivenessView liveness, RandomStreams streams) {
    List<FaultEvent> faults = new ArrayList<>();
    for (int peer = 0; peer < liveness.peers(); peer++) {
      RandomStream random = streams.stream(Purpose.FAULTS, peer, interval.number());
      if (random.nextDouble() < crashes) {
        boolean forgets = random.nextDouble() < forgetful;
        long[] times = randomInterval(interval, random);
        faults.add(new FaultEvent.Crash(times[0], peer, forgets));
        faults.add(new FaultEvent.Return(times[1], peer));
      }
      if (random.nextDouble() < pauses) {
        long[] times = randomInterval(interval, random);
        faults.add(new FaultEvent.Pause(times[0], peer));
        faults.add(new FaultEvent.Resume(times[1], peer));
      }
      if (random.nextDouble() < slow) {
        long[] times = randomInterval(interval, random);
        faults.add(new FaultEvent.SpeedChange(times[0], peer, slowdown));
        faults.add(new FaultEvent.SpeedChange(times[1], peer, 1));
      }
    }
    addServerFaults(
        interval, liveness, streams.stream(Purpose.FAULTS, -3, interval.number()), faults);
    addLinkFaults(
        interval, liveness, streams.stream(Purpose.FAULTS, -1, interval.number()), faults);
    faults.removeIf(fault -> fault.tick() >= endTick());
    return faults;
  }

  /** A server is the participant after all peers. */
  private void addServerFaults(
      Interval interval, LivenessView liveness, RandomStream random, List<FaultEvent> faults) {
    if (liveness.hasServer() && random.nextDouble() < serverCrashes) {
      long[] times = randomInterval(interval, random);
      faults.add(new FaultEvent.Crash(times[0], liveness.peers(), false));
      faults.add(new FaultEvent.Return(times[1], liveness.peers()));
    }
    long stopTick = Ticks.ofSeconds(serverStopSeconds);
    if (liveness.hasServer() && serverStopSeconds > 0) {
      // An earlier crash must not bring the server back later.
      faults.removeIf(
          fault ->
              fault.tick() >= stopTick
                  && fault instanceof FaultEvent.Return(long _, int peer)
                  && peer == liveness.peers());
      if (stopTick >= interval.startTick() && stopTick < interval.startTick() + interval.ticks()) {
        faults.add(new FaultEvent.Crash(stopTick, liveness.peers(), false));
      }
    }
  }

  private void addLinkFaults(
      Interval interval, LivenessView liveness, RandomStream random, List<FaultEvent> faults) {
    int peers = liveness.peers();
    if (random.nextDouble() < splits) {
      long[] times = randomInterval(interval, random);
      int[] groups = new int[peers];
      for (int i = 0; i < peers; i++) {
        groups[i] = random.nextInt(2);
      }
      faults.add(new FaultEvent.Partition(times[0], Ints.wrap(groups)));
      faults.add(new FaultEvent.Heal(times[1]));
    }
    int count = (int) cuts + (random.nextDouble() < cuts - (int) cuts ? 1 : 0);
    for (int i = 0; i < count && peers > 1; i++) {
      long[] times = randomInterval(interval, random);
      int from = random.nextInt(peers);
      int to = (from + 1 + random.nextInt(peers - 1)) % peers;
      faults.add(new FaultEvent.LinkCut(times[0], from, to));
      faults.add(new FaultEvent.Heal(times[1]));
    }
  }

  /**
   * Start and end tick of a fault. The start lies in the interval; the end may lie in the next one.
   */
  private static long[] randomInterval(Interval interval, RandomStream random) {
    double from = random.nextDouble();
    double length = random.nextDouble();
    return new long[] {
      interval.tickAt(from), interval.tickAt(from) + 1 + (long) (length * interval.ticks())
    };
  }
}
