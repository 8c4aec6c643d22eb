package io.kindred.studies.overlay;

import io.kindred.core.config.TextFiles;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Ticks;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.NetworkSettings;
import io.kindred.environment.SimulatedEnvironment;
import io.kindred.environment.churn.ChurnModel;
import io.kindred.environment.churn.NoChurn;
import io.kindred.environment.churn.SteadyChurn;
import io.kindred.environment.fault.FaultEvent;
import io.kindred.environment.fault.Faults;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.protocol.overlay.ClusterReplica;
import io.kindred.protocol.overlay.MaintenanceSettings;
import io.kindred.protocol.overlay.MaintenanceSettingsBuilder;
import io.kindred.protocol.overlay.OverlayLocalMessage;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.SearchMessage;
import io.kindred.runtime.Progress;
import io.kindred.simulator.StepListener;
import io.kindred.simulator.state.Transfer;
import java.util.ArrayList;
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
 * Measures how an overlay copes with crashes and churn (SemanticDFL, sections 3.7 and 5.5): how
 * soon a query is answered after a super-peer crashed, the recall while peers leave and return, and
 * how many messages one crash causes.
 */
public final class ResilienceStudy {

  /** Lease in hop times, if the settings give no lease. */
  private static final int LEASE_HOPS = 5;

  /** Seconds in which an overlay can be built before the first fault. */
  private static final double BUILD_SECONDS = 12;

  private static final double MOST_BUILD_SECONDS = 120;

  /** Factor by which the query interval of unobserved peers is longer. */
  private static final int UNOBSERVED_SLOWDOWN = 8;

  /** Leases that zones have to re-cluster after models drifted. */
  private static final int LEASES_AFTER_DRIFT = 8;

  private final OverlayStudy study;
  private final OverlaySettings settings;
  private final Progress progress;

  /** Reports one progress step for every crash, churn rate and repair that is measured. */
  public ResilienceStudy(OverlayStudy study, Progress progress) {
    this.study = study;
    this.progress = progress;
    MaintenanceSettings maintenance = study.overlay().maintenance();
    double lease =
        maintenance.leaseSeconds() > 0
            ? maintenance.leaseSeconds()
            : LEASE_HOPS * study.overlay().hopSeconds();
    settings = study.overlay().with(maintenance.withLease(lease));
  }

  /** Every peer queries continuously; answers are recorded with their time. */
  private final class ContinuousQueries implements OverlaySimulation.QueryWorkload {
    private final SortedMap<PeerId, Long> queryNumbers = new TreeMap<>();
    private final List<ReceivedAnswer> answers = new ArrayList<>();
    private final double everySeconds;
    private final int wanted;
    private final SortedSet<PeerId> changedPeers = new TreeSet<>();
    private final SortedSet<PeerId> observedPeers = new TreeSet<>();
    private Optional<PeerSignatures> newModels = Optional.empty();
    private @Nullable OverlaySimulation overlay;

    ContinuousQueries(double everySeconds, int wanted) {
      this.everySeconds = everySeconds;
      this.wanted = wanted;
    }

    @Override
    public Optional<QueryClient.IssueQuery> next(PeerId peer, long tick) {
      long number = queryNumbers.merge(peer, 1L, Long::sum);
      QueryClient.IssueQuery issueQuery = nextQuery(peer, number);
      boolean changesModel = newModels.isPresent() && changedPeers.add(peer);
      return Optional.of(
          changesModel ? issueQuery.withModel(newModels.get().signedMessage(peer)) : issueQuery);
    }

    private QueryClient.IssueQuery nextQuery(PeerId peer, long number) {
      // Peers start at different times, and peers whose answers are not observed query less often.
      double share =
          number == 1
              ? (1.0 + peer.number() % 16) / 16
              : observedPeers.isEmpty() || observedPeers.contains(peer) ? 1 : UNOBSERVED_SLOWDOWN;
      return new QueryClient.IssueQuery(
          number, wanted, study.search(), Ticks.ofSeconds(share * everySeconds));
    }

    @Override
    public void answered(PeerId peer, OverlayLocalMessage.SearchFinished answer) {
      OverlaySimulation now = Objects.requireNonNull(overlay);
      long tick = now.simulation().tick();
      answers.add(
          new ReceivedAnswer(
              peer, tick - answer.ticks(), tick, answer.candidates(), now.livePeers()));
    }
  }

  private record ReceivedAnswer(
      PeerId peer,
      long askedTick,
      long answeredTick,
      List<Candidate> candidates,
      List<PeerId> livePeers) {}

  private SimulatedEnvironment world(long seed, ChurnModel churn, double roundSeconds) {
    RandomStreams streams = new RandomStreams(seed);
    NetworkSettings given = study.network();
    NetworkSettings network =
        new NetworkSettings(
            given.devices(),
            given.links(),
            given.jitter(),
            given.rewire(),
            given.segments(),
            roundSeconds,
            given.noticeSeconds());
    return new SimulatedEnvironment(
        study
            .topology()
            .connect(study.peers(), streams.stream(Purpose.TOPOLOGY, 0, 0), TextFiles.NONE),
        network,
        churn,
        Faults.NONE,
        streams);
  }

  private OverlaySimulation newSimulation(
      long seed,
      ChurnModel churn,
      double roundSeconds,
      OverlaySimulation.QueryWorkload queryWorkload,
      StepListener listener) {
    return new OverlaySimulation(
        world(seed, churn, roundSeconds),
        settings,
        study.drawn().generator(study.peers()).draw(study.peers(), seed),
        queryWorkload,
        new UncheckedProofVerifier(),
        Runnable::run,
        listener);
  }

  /** Crashes super-peers one after another; each returns before the next crashes. */
  public ResilienceResults.FailoverResult measureFailover(int crashes, int perNetwork) {
    List<Double> inFlight = new ArrayList<>();
    List<Double> next = new ArrayList<>();
    List<Double> slowest = new ArrayList<>();
    List<Double> repaired = new ArrayList<>();
    int unanswered = 0;
    double lease = settings.maintenance().leaseSeconds();
    for (int done = 0; done < crashes; ) {
      ScriptedChurn churn = new ScriptedChurn();
      ContinuousQueries queries = new ContinuousQueries(0.25, 5);
      OverlaySimulation overlay =
          newSimulation(study.seed() + done, churn, 0.05, queries, StepListener.NONE);
      queries.overlay = overlay;
      overlay.runUntil(Ticks.ofSeconds(BUILD_SECONDS));
      for (int i = 0; i < perNetwork && done < crashes; i++, done++) {
        List<ClusterReplica> clusters = overlay.structure().clusters(1);
        ClusterReplica replica = clusters.get(done % clusters.size());
        queries.observedPeers.clear();
        queries.observedPeers.addAll(replica.members());
        runFor(overlay, UNOBSERVED_SLOWDOWN * queries.everySeconds);
        PeerId victim = replica.descriptor().replicas().getFirst();
        long crash = overlay.simulation().tick() + Ticks.ofSeconds(0.1);
        churn.schedule(new FaultEvent.Crash(crash, (int) victim.number(), false));
        queries.answers.clear();
        overlay.runUntil(crash + 1);
        repaired.add(secondsUntilRepaired(overlay, crash, lease));
        overlay.runUntil(crash + Ticks.ofSeconds(lease + 8));
        List<ReceivedAnswer> all =
            queries.answers.stream()
                .filter(each -> replica.members().contains(each.peer()))
                .toList();
        all.stream()
            .filter(each -> each.askedTick() < crash && each.answeredTick() >= crash)
            .forEach(each -> inFlight.add(Ticks.toSeconds(each.answeredTick() - each.askedTick())));
        List<ReceivedAnswer> after =
            all.stream().filter(each -> each.askedTick() >= crash).toList();
        Optional<ReceivedAnswer> first =
            after.stream().filter(each -> !each.candidates().isEmpty()).findFirst();
        first.ifPresent(each -> next.add(Ticks.toSeconds(each.answeredTick() - crash)));
        unanswered += replica.members().size() > 1 && first.isEmpty() ? 1 : 0;
        after.stream()
            .filter(each -> each.askedTick() <= crash + Ticks.ofSeconds(lease))
            .mapToLong(each -> each.answeredTick() - each.askedTick())
            .max()
            .ifPresent(ticks -> slowest.add(Ticks.toSeconds(ticks)));
        churn.schedule(new FaultEvent.Return(overlay.simulation().tick(), (int) victim.number()));
        runFor(overlay, 4 * lease + 3);
        progress.stepCompleted();
      }
    }
    return new ResilienceResults.FailoverResult(
        lease,
        crashes,
        unanswered,
        ResilienceResults.Percentiles.of(inFlight),
        ResilienceResults.Percentiles.of(next),
        ResilienceResults.Percentiles.of(slowest),
        ResilienceResults.Percentiles.of(repaired));
  }

  private static double secondsUntilRepaired(OverlaySimulation overlay, long crash, double lease) {
    for (double after = 0; after < 60 * lease; after += lease / 5) {
      overlay.runUntil(crash + 1 + Ticks.ofSeconds(after));
      if (overlay.structure().violations().isEmpty()) {
        return after;
      }
    }
    return 60 * lease;
  }

  /** A share of the peers leaves at the start of each round, and as many return. */
  public ResilienceResults.ChurnResult measureChurn(double rate, int rounds, double roundSeconds) {
    int wanted = Math.max(1, study.peers() / 10);
    ContinuousQueries continuousQueries = new ContinuousQueries(roundSeconds / 2, wanted);
    ChurnModel churn = rate == 0 ? new NoChurn() : new SteadyChurn(rate, 0.5, 0.5);
    MessageCounter messageCounter = new MessageCounter();
    OverlaySimulation overlay =
        newSimulation(study.seed(), churn, roundSeconds, continuousQueries, messageCounter);
    continuousQueries.overlay = overlay;
    overlay.runUntil(Ticks.ofSeconds(roundSeconds));
    long messages = messageCounter.messages;
    long bytes = messageCounter.bytes;
    continuousQueries.answers.clear();
    overlay.runUntil(Ticks.ofSeconds(roundSeconds * (rounds + 1)));
    PeerSignatures signatures =
        study.drawn().generator(study.peers()).draw(study.peers(), study.seed());
    double recall = 0;
    int none = 0;
    for (ReceivedAnswer each : continuousQueries.answers) {
      recall += recall(signatures, each, wanted);
      none += each.candidates().isEmpty() ? 1 : 0;
    }
    progress.stepCompleted();
    int queries = continuousQueries.answers.size();
    double peerRounds = (double) study.peers() * rounds;
    return new ResilienceResults.ChurnResult(
        rate,
        queries,
        recall / Math.max(1, queries),
        (double) none / Math.max(1, queries),
        (messageCounter.bytes - bytes) / peerRounds,
        (messageCounter.messages - messages) / peerRounds,
        overlay.simulation().counts().getOrDefault("overlay-epoch", 0L));
  }

  /** Recall of the most similar peers among those that were live when the answer arrived. */
  private static double recall(
      PeerSignatures signatures, ReceivedAnswer receivedAnswer, int wanted) {
    Set<PeerId> live = new TreeSet<>(receivedAnswer.livePeers());
    List<PeerId> exact =
        signatures.nearest((int) receivedAnswer.peer().number(), signatures.size()).stream()
            .map(Candidate::peer)
            .filter(live::contains)
            .limit(wanted)
            .toList();
    Set<PeerId> found = new TreeSet<>();
    receivedAnswer.candidates().forEach(each -> found.add(each.peer()));
    return exact.isEmpty()
        ? 1
        : (double) exact.stream().filter(found::contains).count() / exact.size();
  }

  /** A share of the peers drifts to another cluster; {@code drift} is the zones' threshold. */
  public ResilienceResults.DriftResult measureDrift(double share, double drift) {
    MaintenanceSettings maintenance = settings.maintenance();
    OverlaySettings reacting =
        settings.with(MaintenanceSettingsBuilder.from(maintenance).drift(drift).build());
    double lease = maintenance.leaseSeconds();
    int wanted = Math.max(1, study.peers() / 10);
    ContinuousQueries queries = new ContinuousQueries(lease, wanted);
    MessageCounter messageCounter = new MessageCounter();
    SyntheticSignatures syntheticSignatures = study.drawn().generator(study.peers());
    PeerSignatures before = syntheticSignatures.draw(study.peers(), study.seed());
    PeerSignatures after = syntheticSignatures.drawWithDrift(study.peers(), study.seed(), share);
    OverlaySimulation overlay =
        new OverlaySimulation(
            world(study.seed(), new NoChurn(), lease),
            reacting,
            before,
            queries,
            new UncheckedProofVerifier(),
            Runnable::run,
            messageCounter);
    queries.overlay = overlay;
    overlay.runUntil(Ticks.ofSeconds(BUILD_SECONDS));
    queries.answers.clear();
    runFor(overlay, 2 * lease);
    double asBuilt = recall(before, queries.answers, wanted);
    long messages = messageCounter.repairMessages();
    long bytes = messageCounter.repairBytes;
    queries.newModels = Optional.of(after);
    runFor(overlay, 1.25 * lease);
    queries.answers.clear();
    runFor(overlay, lease);
    double atOnce = recall(after, queries.answers, wanted);
    runFor(overlay, LEASES_AFTER_DRIFT * lease);
    queries.answers.clear();
    runFor(overlay, 2 * lease);
    progress.stepCompleted();
    return new ResilienceResults.DriftResult(
        share,
        drift,
        asBuilt,
        atOnce,
        recall(after, queries.answers, wanted),
        (double) (messageCounter.repairMessages() - messages) / study.peers(),
        (double) (messageCounter.repairBytes - bytes) / study.peers(),
        overlay.simulation().counts().getOrDefault("overlay-reclustered", 0L),
        overlay.simulation().counts().getOrDefault("overlay-epoch", 0L));
  }

  private static void runFor(OverlaySimulation overlay, double seconds) {
    overlay.runUntil(overlay.simulation().tick() + Ticks.ofSeconds(seconds));
  }

  private static double recall(
      PeerSignatures signatures, List<ReceivedAnswer> receivedAnswer, int wanted) {
    return receivedAnswer.stream()
        .mapToDouble(each -> recall(signatures, each, wanted))
        .average()
        .orElse(0);
  }

  /**
   * Waits until the overlay is built and late peers have joined, which takes longer in a large
   * network.
   */
  private static long buildAndSettle(OverlaySimulation overlay) {
    long tick = Ticks.ofSeconds(BUILD_SECONDS);
    overlay.runUntil(tick);
    while (!overlay.structure().violations().isEmpty()
        && tick < Ticks.ofSeconds(MOST_BUILD_SECONDS)) {
      tick += Ticks.ofSeconds(BUILD_SECONDS);
      overlay.runUntil(tick);
    }
    return tick;
  }

  /** Runs the same network with a crash and without; the difference is the cost of the repair. */
  public List<ResilienceResults.RepairCost> measureRepairs() {
    double lease = settings.maintenance().leaseSeconds();
    MessageCounter baseline = new MessageCounter();
    OverlaySimulation plain =
        newSimulation(study.seed(), new ScriptedChurn(), 0.05, new NoQueries(), baseline);
    long crash = buildAndSettle(plain);
    long end = crash + Ticks.ofSeconds(8 * lease);
    OverlayStructure structure = plain.structure();
    SortedMap<String, PeerId> victims = new TreeMap<>();
    victims.put("initiator", structure.zones().firstKey().initiator());
    for (ClusterReplica replica : structure.clusters(1)) {
      PeerId first = replica.descriptor().replicas().getFirst();
      boolean leads =
          structure.zones().keySet().stream().anyMatch(zone -> zone.initiator().equals(first));
      if (!leads) {
        victims.putIfAbsent("super-peer", first);
      }
      for (PeerId member : replica.members()) {
        boolean holds =
            structure.clusters().values().stream()
                .anyMatch(each -> each.descriptor().replicas().contains(member));
        if (!holds) {
          victims.putIfAbsent("member", member);
        }
      }
    }
    plain.runUntil(end);
    progress.stepCompleted();
    List<ResilienceResults.RepairCost> repairCosts = new ArrayList<>();
    victims.forEach(
        (who, victim) -> {
          ScriptedChurn churn = new ScriptedChurn();
          MessageCounter messageCounter = new MessageCounter();
          OverlaySimulation overlay =
              newSimulation(study.seed(), churn, 0.05, new NoQueries(), messageCounter);
          overlay.runUntil(crash - Ticks.ofSeconds(0.1));
          churn.schedule(new FaultEvent.Crash(crash, (int) victim.number(), true));
          overlay.runUntil(end);
          progress.stepCompleted();
          repairCosts.add(messageCounter.excessOver(baseline, study.peers(), who));
        });
    return repairCosts;
  }

  /** Issues no queries. */
  private static final class NoQueries implements OverlaySimulation.QueryWorkload {
    @Override
    public Optional<QueryClient.IssueQuery> next(PeerId peer, long tick) {
      return Optional.empty();
    }

    @Override
    public void answered(PeerId peer, OverlayLocalMessage.SearchFinished answer) {}
  }

  private static final class MessageCounter implements StepListener {
    private static final Set<String> KEEP_ALIVE_MESSAGES =
        new TreeSet<>(List.of("Heartbeat", "LeaseRenewal", "RootGossip"));

    private long messages;
    private long bytes;
    private long repairBytes;
    private final SortedMap<String, Long> messagesByKind = new TreeMap<>();

    long repairMessages() {
      return messagesByKind.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The messages beyond those of the same network without a crash. */
    ResilienceResults.RepairCost excessOver(MessageCounter baseline, int peers, String who) {
      SortedMap<String, Long> more = new TreeMap<>();
      messagesByKind.forEach(
          (kind, count) -> {
            long extra = count - baseline.messagesByKind.getOrDefault(kind, 0L);
            if (extra != 0) {
              more.put(kind, extra);
            }
          });
      return new ResilienceResults.RepairCost(
          peers,
          who,
          repairMessages() - baseline.repairMessages(),
          repairBytes - baseline.repairBytes,
          more);
    }

    @Override
    public void sent(Transfer transfer, long tick) {
      messages++;
      bytes += transfer.controlBytes();
      String kind = transfer.message().getClass().getSimpleName();
      if (!(transfer.message() instanceof SearchMessage) && !KEEP_ALIVE_MESSAGES.contains(kind)) {
        messagesByKind.merge(kind, 1L, Long::sum);
        repairBytes += transfer.controlBytes();
      }
    }
  }
}
