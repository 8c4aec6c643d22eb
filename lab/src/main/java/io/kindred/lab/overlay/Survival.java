package io.kindred.lab.overlay;

import io.kindred.core.PeerId;
import io.kindred.core.Ticks;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.lab.run.Progress;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.protocol.overlay.LifeRule;
import io.kindred.protocol.overlay.OverlayNote;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.SearchMessage;
import io.kindred.protocol.overlay.Seat;
import io.kindred.simulator.Inspector;
import io.kindred.simulator.Transfer;
import io.kindred.world.Change;
import io.kindred.world.Churn;
import io.kindred.world.Faults;
import io.kindred.world.Network;
import io.kindred.world.NoChurn;
import io.kindred.world.SteadyChurn;
import io.kindred.world.TextFiles;
import io.kindred.world.World;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How an overlay lives through crashes and churn (SemanticDFL, sections 3.7 and 5.5): how soon a
 * query is answered after a super-peer crashed, what is found while peers come and go, and whom one
 * crash concerns.
 */
public final class Survival {

  /** Hop times of a lease where none is given. */
  private static final int LEASE_HOPS = 5;

  /** Seconds that an overlay gets to be built in, before anything happens to it. */
  private static final double BUILD_SECONDS = 12;

  private static final double MOST_BUILD_SECONDS = 120;

  /** How much longer than others those take to ask again whose answers nobody looks at. */
  private static final int RESTING = 8;

  /** Leases in which zones may react to models that turned. */
  private static final int DRIFT_LEASES = 8;

  private final Study study;
  private final OverlaySettings settings;
  private final Progress progress;

  /** Tells of every crash, every rate of churn and every repair that is done with. */
  public Survival(Study study, Progress progress) {
    this.study = study;
    this.progress = progress;
    LifeRule life = study.overlay().life();
    double lease =
        life.leaseSeconds() > 0 ? life.leaseSeconds() : LEASE_HOPS * study.overlay().hopSeconds();
    settings = study.overlay().with(life.with(lease));
  }

  /**
   * What came of so many crashes of super-peers, in seconds; each as median, 95th percentile and
   * most.
   *
   * @param inFlight how long queries took that such peers had asked before and that were not
   *     answered when it crashed
   * @param next until a peer of the super-peer's cluster had an answer again
   * @param slowest until the last query was answered that such a peer asked within a lease
   * @param whole until the overlay was whole without it
   */
  public record Failover(
      double leaseSeconds,
      int crashes,
      int unanswered,
      Spread inFlight,
      Spread next,
      Spread slowest,
      Spread whole) {}

  /** Of measured values. */
  public record Spread(double median, double most19of20, double most) {
    static Spread of(List<Double> values) {
      List<Double> sorted = new ArrayList<>(values);
      Collections.sort(sorted);
      return sorted.isEmpty()
          ? new Spread(0, 0, 0)
          : new Spread(
              sorted.get(sorted.size() / 2),
              sorted.get((int) (0.95 * (sorted.size() - 1))),
              sorted.getLast());
    }
  }

  /** What a share of peers that leave and come in each round does. */
  public record Churning(
      double rate,
      int queries,
      double recall,
      double unanswered,
      double controlBytesPerPeerRound,
      double messagesPerPeerRound,
      long epochs) {}

  /** Messages that one crash caused, signs of life not counted, by whom it was and of what kind. */
  public record Repair(
      int peers, String who, long messages, long bytes, SortedMap<String, Long> kinds) {}

  /** Everybody asks again and again; answers are kept with when they came. */
  private final class Restless implements Trial.Questions {
    private final SortedMap<PeerId, Long> numbers = new TreeMap<>();
    private final List<Heard> heard = new ArrayList<>();
    private final double everySeconds;
    private final int wanted;
    private final SortedSet<PeerId> turned = new TreeSet<>();
    private final SortedSet<PeerId> eager = new TreeSet<>();
    private Optional<Population> models = Optional.empty();
    private @Nullable Trial trial;

    Restless(double everySeconds, int wanted) {
      this.everySeconds = everySeconds;
      this.wanted = wanted;
    }

    @Override
    public Optional<Asker.Ask> next(PeerId peer, long tick) {
      long number = numbers.merge(peer, 1L, Long::sum);
      Asker.Ask ask = ask(peer, number);
      boolean other = models.isPresent() && turned.add(peer);
      return Optional.of(other ? ask.with(models.get().signed(peer)) : ask);
    }

    private Asker.Ask ask(PeerId peer, long number) {
      // Peers do not ask in step, and those whom nobody looks at ask less.
      double share =
          number == 1
              ? (1.0 + peer.number() % 16) / 16
              : eager.isEmpty() || eager.contains(peer) ? 1 : RESTING;
      return new Asker.Ask(number, wanted, study.search(), Ticks.ofSeconds(share * everySeconds));
    }

    @Override
    public void answered(PeerId peer, OverlayNote.Searched answer) {
      Trial now = Objects.requireNonNull(trial);
      long tick = now.simulation().tick();
      heard.add(new Heard(peer, tick - answer.ticks(), tick, answer.candidates(), now.present()));
    }
  }

  /**
   * What becomes of search when models turn.
   *
   * @param share of the peers that turned to another cluster
   * @param drift what the zones were told to react to
   * @param turned recall as soon as they had turned
   * @param after recall some leases later
   * @param messagesPerPeer that this caused, signs of life and searches not counted
   */
  public record Drifting(
      double share,
      double drift,
      double before,
      double turned,
      double after,
      double messagesPerPeer,
      double bytesPerPeer,
      long regrouped,
      long epochs) {}

  private record Heard(
      PeerId peer, long asked, long tick, List<Candidate> found, List<PeerId> present) {}

  private World world(long seed, Churn churn, double roundSeconds) {
    RandomStreams streams = new RandomStreams(seed);
    Network given = study.network();
    Network network =
        new Network(
            given.devices(),
            given.links(),
            given.jitter(),
            given.rewire(),
            given.segments(),
            roundSeconds,
            given.noticeSeconds());
    return new World(
        study
            .topology()
            .connect(study.peers(), streams.stream(Purpose.TOPOLOGY, 0, 0), TextFiles.NONE),
        network,
        churn,
        Faults.NONE,
        streams);
  }

  private Trial trial(
      long seed, Churn churn, double roundSeconds, Trial.Questions questions, Inspector other) {
    return new Trial(
        world(seed, churn, roundSeconds),
        settings,
        study.drawn().planted(study.peers()).draw(study.peers(), seed),
        questions,
        new CheapProofs(),
        Runnable::run,
        other);
  }

  /** Super-peers crash one after another, and are back before the next does. */
  public Failover failover(int crashes, int perNetwork) {
    List<Double> inFlight = new ArrayList<>();
    List<Double> next = new ArrayList<>();
    List<Double> slowest = new ArrayList<>();
    List<Double> whole = new ArrayList<>();
    int unanswered = 0;
    double lease = settings.life().leaseSeconds();
    for (int done = 0; done < crashes; ) {
      Director director = new Director();
      Restless restless = new Restless(0.25, 5);
      Trial trial = trial(study.seed() + done, director, 0.05, restless, Inspector.NONE);
      restless.trial = trial;
      trial.runUntil(Ticks.ofSeconds(BUILD_SECONDS));
      for (int i = 0; i < perNetwork && done < crashes; i++, done++) {
        List<Seat> clusters = trial.structure().clusters(1);
        Seat seat = clusters.get(done % clusters.size());
        restless.eager.clear();
        restless.eager.addAll(seat.members());
        pass(trial, RESTING * restless.everySeconds);
        PeerId victim = seat.cluster().replicas().getFirst();
        long crash = trial.simulation().tick() + Ticks.ofSeconds(0.1);
        director.want(new Change.Crash(crash, (int) victim.number(), false));
        restless.heard.clear();
        trial.runUntil(crash + 1);
        whole.add(untilWhole(trial, crash, lease));
        trial.runUntil(crash + Ticks.ofSeconds(lease + 8));
        List<Heard> all =
            restless.heard.stream().filter(each -> seat.members().contains(each.peer())).toList();
        all.stream()
            .filter(each -> each.asked() < crash && each.tick() >= crash)
            .forEach(each -> inFlight.add(Ticks.toSeconds(each.tick() - each.asked())));
        List<Heard> after = all.stream().filter(each -> each.asked() >= crash).toList();
        Optional<Heard> first = after.stream().filter(each -> !each.found().isEmpty()).findFirst();
        first.ifPresent(each -> next.add(Ticks.toSeconds(each.tick() - crash)));
        unanswered += seat.members().size() > 1 && first.isEmpty() ? 1 : 0;
        after.stream()
            .filter(each -> each.asked() <= crash + Ticks.ofSeconds(lease))
            .mapToLong(each -> each.tick() - each.asked())
            .max()
            .ifPresent(ticks -> slowest.add(Ticks.toSeconds(ticks)));
        director.want(new Change.Return(trial.simulation().tick(), (int) victim.number()));
        pass(trial, 4 * lease + 3);
        progress.deployed();
      }
    }
    return new Failover(
        lease,
        crashes,
        unanswered,
        Spread.of(inFlight),
        Spread.of(next),
        Spread.of(slowest),
        Spread.of(whole));
  }

  private static double untilWhole(Trial trial, long crash, double lease) {
    for (double after = 0; after < 60 * lease; after += lease / 5) {
      trial.runUntil(crash + 1 + Ticks.ofSeconds(after));
      if (trial.structure().faults().isEmpty()) {
        return after;
      }
    }
    return 60 * lease;
  }

  /** A share of the peers leaves at the beginning of each round, as many come back. */
  public Churning churning(double rate, int rounds, double roundSeconds) {
    int wanted = Math.max(1, study.peers() / 10);
    Restless restless = new Restless(roundSeconds / 2, wanted);
    Churn churn = rate == 0 ? new NoChurn() : new SteadyChurn(rate, 0.5, 0.5);
    Counter counter = new Counter();
    Trial trial = trial(study.seed(), churn, roundSeconds, restless, counter);
    restless.trial = trial;
    trial.runUntil(Ticks.ofSeconds(roundSeconds));
    long messages = counter.messages;
    long bytes = counter.bytes;
    restless.heard.clear();
    trial.runUntil(Ticks.ofSeconds(roundSeconds * (rounds + 1)));
    Population population = study.drawn().planted(study.peers()).draw(study.peers(), study.seed());
    double recall = 0;
    int none = 0;
    for (Heard each : restless.heard) {
      recall += recall(population, each, wanted);
      none += each.found().isEmpty() ? 1 : 0;
    }
    progress.deployed();
    int queries = restless.heard.size();
    double peerRounds = (double) study.peers() * rounds;
    return new Churning(
        rate,
        queries,
        recall / Math.max(1, queries),
        (double) none / Math.max(1, queries),
        (counter.bytes - bytes) / peerRounds,
        (counter.messages - messages) / peerRounds,
        trial.simulation().counts().getOrDefault("overlay-epoch", 0L));
  }

  /** Against the most similar of those who were there when the answer came. */
  private static double recall(Population population, Heard heard, int wanted) {
    Set<PeerId> there = new TreeSet<>(heard.present());
    List<PeerId> exact =
        population.nearest((int) heard.peer().number(), population.size()).stream()
            .map(Candidate::peer)
            .filter(there::contains)
            .limit(wanted)
            .toList();
    Set<PeerId> found = new TreeSet<>();
    heard.found().forEach(each -> found.add(each.peer()));
    return exact.isEmpty()
        ? 1
        : (double) exact.stream().filter(found::contains).count() / exact.size();
  }

  /** A share of the peers turns to another cluster, at a drift that zones react to or do not. */
  public Drifting drifting(double share, double drift) {
    LifeRule life = settings.life();
    OverlaySettings reacting =
        settings.with(
            new LifeRule(
                life.leaseSeconds(),
                life.heartbeats(),
                life.epochSeconds(),
                life.queries(),
                drift));
    double lease = life.leaseSeconds();
    int wanted = Math.max(1, study.peers() / 10);
    Restless restless = new Restless(lease, wanted);
    Counter counter = new Counter();
    Planted planted = study.drawn().planted(study.peers());
    Population before = planted.draw(study.peers(), study.seed());
    Population after = planted.turned(study.peers(), study.seed(), share);
    Trial trial =
        new Trial(
            world(study.seed(), new NoChurn(), lease),
            reacting,
            before,
            restless,
            new CheapProofs(),
            Runnable::run,
            counter);
    restless.trial = trial;
    trial.runUntil(Ticks.ofSeconds(BUILD_SECONDS));
    restless.heard.clear();
    pass(trial, 2 * lease);
    double asBuilt = recall(before, restless.heard, wanted);
    long messages = counter.repairs();
    long bytes = counter.repairBytes;
    restless.models = Optional.of(after);
    pass(trial, 1.25 * lease);
    restless.heard.clear();
    pass(trial, lease);
    double atOnce = recall(after, restless.heard, wanted);
    pass(trial, DRIFT_LEASES * lease);
    restless.heard.clear();
    pass(trial, 2 * lease);
    progress.deployed();
    return new Drifting(
        share,
        drift,
        asBuilt,
        atOnce,
        recall(after, restless.heard, wanted),
        (double) (counter.repairs() - messages) / study.peers(),
        (double) (counter.repairBytes - bytes) / study.peers(),
        trial.simulation().counts().getOrDefault("overlay-regrouped", 0L),
        trial.simulation().counts().getOrDefault("overlay-epoch", 0L));
  }

  private static void pass(Trial trial, double seconds) {
    trial.runUntil(trial.simulation().tick() + Ticks.ofSeconds(seconds));
  }

  private static double recall(Population population, List<Heard> heard, int wanted) {
    return heard.stream().mapToDouble(each -> recall(population, each, wanted)).average().orElse(0);
  }

  /**
   * Lets an overlay be built, and such peers find their place as were too late for it: in a large
   * network that takes longer.
   */
  private static long settled(Trial trial) {
    long tick = Ticks.ofSeconds(BUILD_SECONDS);
    trial.runUntil(tick);
    while (!trial.structure().faults().isEmpty() && tick < Ticks.ofSeconds(MOST_BUILD_SECONDS)) {
      tick += Ticks.ofSeconds(BUILD_SECONDS);
      trial.runUntil(tick);
    }
    return tick;
  }

  /** The same network twice, with a crash and without: the difference is what it caused. */
  public List<Repair> repairs() {
    double lease = settings.life().leaseSeconds();
    Counter calm = new Counter();
    Trial plain = trial(study.seed(), new Director(), 0.05, new Silence(), calm);
    long crash = settled(plain);
    long end = crash + Ticks.ofSeconds(8 * lease);
    Structure structure = plain.structure();
    SortedMap<String, PeerId> victims = new TreeMap<>();
    victims.put("initiator", structure.zones().firstKey().initiator());
    for (Seat seat : structure.clusters(1)) {
      PeerId first = seat.cluster().replicas().getFirst();
      boolean leads =
          structure.zones().keySet().stream().anyMatch(zone -> zone.initiator().equals(first));
      if (!leads) {
        victims.putIfAbsent("super-peer", first);
      }
      for (PeerId member : seat.members()) {
        boolean holds =
            structure.clusters().values().stream()
                .anyMatch(each -> each.cluster().replicas().contains(member));
        if (!holds) {
          victims.putIfAbsent("member", member);
        }
      }
    }
    plain.runUntil(end);
    progress.deployed();
    List<Repair> repairs = new ArrayList<>();
    victims.forEach(
        (who, victim) -> {
          Director director = new Director();
          Counter counter = new Counter();
          Trial trial = trial(study.seed(), director, 0.05, new Silence(), counter);
          trial.runUntil(crash - Ticks.ofSeconds(0.1));
          director.want(new Change.Crash(crash, (int) victim.number(), true));
          trial.runUntil(end);
          progress.deployed();
          repairs.add(counter.since(calm, study.peers(), who));
        });
    return repairs;
  }

  /** Asks nothing. */
  private static final class Silence implements Trial.Questions {
    @Override
    public Optional<Asker.Ask> next(PeerId peer, long tick) {
      return Optional.empty();
    }

    @Override
    public void answered(PeerId peer, OverlayNote.Searched answer) {}
  }

  private static final class Counter implements Inspector {
    private static final Set<String> SIGNS_OF_LIFE =
        new TreeSet<>(List.of("Beat", "Renewal", "Hail"));

    private long messages;
    private long bytes;
    private long repairBytes;
    private final SortedMap<String, Long> kinds = new TreeMap<>();

    long repairs() {
      return kinds.values().stream().mapToLong(Long::longValue).sum();
    }

    /** What came on top of a network in which nothing happened. */
    Repair since(Counter calm, int peers, String who) {
      SortedMap<String, Long> more = new TreeMap<>();
      kinds.forEach(
          (kind, count) -> {
            long extra = count - calm.kinds.getOrDefault(kind, 0L);
            if (extra != 0) {
              more.put(kind, extra);
            }
          });
      return new Repair(
          peers, who, repairs() - calm.repairs(), repairBytes - calm.repairBytes, more);
    }

    @Override
    public void sent(Transfer transfer, long tick) {
      messages++;
      bytes += transfer.control();
      String kind = transfer.message().getClass().getSimpleName();
      if (!(transfer.message() instanceof SearchMessage) && !SIGNS_OF_LIFE.contains(kind)) {
        kinds.merge(kind, 1L, Long::sum);
        repairBytes += transfer.control();
      }
    }
  }
}
