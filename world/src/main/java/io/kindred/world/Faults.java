package io.kindred.world;

import io.kindred.core.Ticks;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.settings.Setting;
import io.kindred.core.weights.Ints;
import java.util.ArrayList;
import java.util.List;

/**
 * What goes wrong beside churn: with messages, each by chance, and with peers and links, so and so
 * often in a round of {@code network.roundSeconds}.
 */
public record Faults(
    @Setting(doc = "probability that a message is lost", fallback = "0", min = 0, max = 1)
        double loss,
    @Setting(doc = "probability that a message arrives twice", fallback = "0", min = 0, max = 1)
        double duplicate,
    @Setting(
            doc = "probability that a message is held up, and others overtake it",
            fallback = "0",
            min = 0,
            max = 1)
        double delay,
    @Setting(doc = "how long it is held up at most, in seconds", fallback = "5", above = 0)
        double delaySeconds,
    @Setting(doc = "probability that a message arrives damaged", fallback = "0", min = 0, max = 1)
        double corrupt,
    @Setting(
            doc = "probability that a message arrives although its sender is told otherwise",
            fallback = "0",
            min = 0,
            max = 1)
        double misreport,
    @Setting(doc = "crashes a peer and round", fallback = "0", min = 0, max = 1) double crashes,
    @Setting(
            doc = "share of the crashed that has forgotten everything",
            fallback = "0",
            min = 0,
            max = 1)
        double forgetful,
    @Setting(doc = "standstills a peer and round", fallback = "0", min = 0, max = 1) double pauses,
    @Setting(doc = "slow spells a peer and round", fallback = "0", min = 0, max = 1) double slow,
    @Setting(doc = "how many times as slow a peer is then", fallback = "10", min = 1)
        double slowdown,
    @Setting(doc = "splits of the network a round", fallback = "0", min = 0, max = 1) double splits,
    @Setting(doc = "one-way cuts between two peers a round", fallback = "0", min = 0) double cuts,
    @Setting(
            doc = "a clock is ahead or behind by up to this share of the time",
            fallback = "0",
            min = 0,
            max = 0.5)
        double drift,
    @Setting(doc = "restarts of a server a round", fallback = "0", min = 0, max = 1)
        double serverCrashes,
    @Setting(doc = "seconds after which all is well again; 0 is never", fallback = "0", min = 0)
        double untilSeconds)
    implements Disturbance {
  /** Everything works. */
  public static final Faults NONE = new Faults(0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 10, 0, 0, 0, 0);

  /** With a server that never fails. */
  public Faults(
      double loss,
      double duplicate,
      double delay,
      double delaySeconds,
      double corrupt,
      double misreport,
      double crashes,
      double forgetful,
      double pauses,
      double slow,
      double slowdown,
      double splits,
      double cuts,
      double drift,
      double untilSeconds) {
    this(
        loss,
        duplicate,
        delay,
        delaySeconds,
        corrupt,
        misreport,
        crashes,
        forgetful,
        pauses,
        slow,
        slowdown,
        splits,
        cuts,
        drift,
        0,
        untilSeconds);
  }

  /** What becomes of one message. */
  public record Fate(
      boolean lost, boolean duplicated, long delayTicks, boolean corrupted, boolean misreported) {
    /** Nothing happens to it. */
    public static final Fate NONE = new Fate(false, false, 0, false, false);
  }

  /** Whether every message simply arrives. */
  public boolean sparesMessages() {
    return loss + duplicate + delay + corrupt + misreport == 0;
  }

  @Override
  public boolean isCalm() {
    return sparesMessages() && crashes + serverCrashes + pauses + slow + splits + cuts + drift == 0;
  }

  /** What becomes of a message, given the draws that are its own. */
  public Fate fate(RandomStream random) {
    boolean lost = random.nextDouble() < loss;
    boolean duplicated = random.nextDouble() < duplicate;
    boolean delayed = random.nextDouble() < delay;
    long ticks = Ticks.ofSeconds(delaySeconds * random.nextDouble());
    boolean corrupted = random.nextDouble() < corrupt;
    boolean misreported = random.nextDouble() < misreport;
    return new Fate(lost, duplicated, delayed ? ticks : 0, corrupted, misreported);
  }

  /** By which factor a participant's clock is fast. */
  public double clockRate(int participant, RandomStreams streams) {
    return drift == 0
        ? 1
        : 1 + streams.stream(Purpose.FAULTS, participant, -1).uniform(-drift, drift);
  }

  /** When all is well again; never, if that is not said. */
  public long untilTick() {
    return untilSeconds == 0 ? Long.MAX_VALUE : Ticks.ofSeconds(untilSeconds);
  }

  @Override
  public List<Change> during(Round round, Presence presence, RandomStreams streams) {
    List<Change> changes = new ArrayList<>();
    for (int peer = 0; peer < presence.peers(); peer++) {
      RandomStream random = streams.stream(Purpose.FAULTS, peer, round.number());
      if (random.nextDouble() < crashes) {
        boolean forgets = random.nextDouble() < forgetful;
        long[] times = span(round, random);
        changes.add(new Change.Crash(times[0], peer, forgets));
        changes.add(new Change.Return(times[1], peer));
      }
      if (random.nextDouble() < pauses) {
        long[] times = span(round, random);
        changes.add(new Change.Pause(times[0], peer));
        changes.add(new Change.Resume(times[1], peer));
      }
      if (random.nextDouble() < slow) {
        long[] times = span(round, random);
        changes.add(new Change.Slow(times[0], peer, slowdown));
        changes.add(new Change.Slow(times[1], peer, 1));
      }
    }
    ofServer(round, presence, streams.stream(Purpose.FAULTS, -3, round.number()), changes);
    between(round, presence, streams.stream(Purpose.FAULTS, -1, round.number()), changes);
    changes.removeIf(change -> change.tick() >= untilTick());
    return changes;
  }

  /** A server is the participant after all peers. */
  private void ofServer(Round round, Presence presence, RandomStream random, List<Change> changes) {
    if (presence.hasServer() && random.nextDouble() < serverCrashes) {
      long[] times = span(round, random);
      changes.add(new Change.Crash(times[0], presence.peers(), false));
      changes.add(new Change.Return(times[1], presence.peers()));
    }
  }

  private void between(Round round, Presence presence, RandomStream random, List<Change> changes) {
    int peers = presence.peers();
    if (random.nextDouble() < splits) {
      long[] times = span(round, random);
      int[] sides = new int[peers];
      for (int i = 0; i < peers; i++) {
        sides[i] = random.nextInt(2);
      }
      changes.add(new Change.Split(times[0], Ints.wrap(sides)));
      changes.add(new Change.Heal(times[1]));
    }
    int count = (int) cuts + (random.nextDouble() < cuts - (int) cuts ? 1 : 0);
    for (int i = 0; i < count && peers > 1; i++) {
      long[] times = span(round, random);
      int from = random.nextInt(peers);
      int to = (from + 1 + random.nextInt(peers - 1)) % peers;
      changes.add(new Change.Cut(times[0], from, to));
      changes.add(new Change.Heal(times[1]));
    }
  }

  /** Two moments of the round, the second after the first; the second may fall into the next. */
  private static long[] span(Round round, RandomStream random) {
    double from = random.nextDouble();
    double length = random.nextDouble();
    return new long[] {round.at(from), round.at(from) + 1 + (long) (length * round.ticks())};
  }
}
