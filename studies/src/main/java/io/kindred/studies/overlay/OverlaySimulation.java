package io.kindred.studies.overlay;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.LocalMessage;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.peer.Peer;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerLayer;
import io.kindred.core.peer.PeerStep;
import io.kindred.environment.SimulatedEnvironment;
import io.kindred.protocol.overlay.ElectionIdentity;
import io.kindred.protocol.overlay.OverlayContext;
import io.kindred.protocol.overlay.OverlayLocalMessage;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.ProofVerifier;
import io.kindred.protocol.overlay.SearchMessage;
import io.kindred.protocol.overlay.machine.Overlay;
import io.kindred.protocol.overlay.machine.OverlayState;
import io.kindred.protocol.vrf.ElectionScore;
import io.kindred.protocol.wire.Wire;
import io.kindred.runtime.RoundCompletion;
import io.kindred.runtime.Workers;
import io.kindred.simulator.ShellService;
import io.kindred.simulator.Simulation;
import io.kindred.simulator.StepListener;
import io.kindred.simulator.invariants.Invariants;
import io.kindred.simulator.state.SimulationSpec;
import io.kindred.simulator.state.Transfer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

/** Builds an overlay in a simulated environment, queries it, and measures the traffic. */
public final class OverlaySimulation {
  /** Decides what peers query; called when a peer is ready or has received an answer. */
  public interface QueryWorkload {
    /** The peer's next query, if there is one. */
    Optional<QueryClient.IssueQuery> next(PeerId peer, long tick);

    void answered(PeerId peer, OverlayLocalMessage.SearchFinished answer);
  }

  /** Number of messages and their bytes. */
  public record TrafficVolume(long messages, long bytes) {
    static final TrafficVolume NONE = new TrafficVolume(0, 0);

    TrafficVolume plus(long more) {
      return new TrafficVolume(messages + 1, bytes + more);
    }
  }

  private final SimulatedEnvironment environment;
  private final OverlaySettings settings;
  private final PeerSignatures signatures;
  private final QueryWorkload workload;
  private final Wire wire;
  private final OverlayState[] states;
  private final SortedMap<String, TrafficVolume> trafficByMessage = new TreeMap<>();
  private TrafficVolume buildTraffic = TrafficVolume.NONE;
  private final SortedMap<Long, TrafficVolume> searchTraffic = new TreeMap<>();
  private int readyPeers;
  private long readyTick;
  private final Simulation simulation;

  public OverlaySimulation(
      SimulatedEnvironment environment,
      OverlaySettings settings,
      PeerSignatures signatures,
      QueryWorkload queryWorkload,
      ProofVerifier verifier,
      Executor executor) {
    this(environment, settings, signatures, queryWorkload, verifier, executor, StepListener.NONE);
  }

  /** Also passes every step to the given listener. */
  public OverlaySimulation(
      SimulatedEnvironment environment,
      OverlaySettings settings,
      PeerSignatures signatures,
      QueryWorkload queryWorkload,
      ProofVerifier verifier,
      Executor executor,
      StepListener additionalListener) {
    this.environment = environment;
    this.settings = settings;
    this.signatures = signatures;
    this.workload = queryWorkload;
    List<Class<?>> records = new ArrayList<>(Overlay.records());
    records.addAll(QueryClient.records());
    wire = new Wire(records);
    states = new OverlayState[signatures.size()];
    SimulationSpec spec =
        new SimulationSpec(
            peers(verifier),
            environment,
            (peer, ticket) -> operations(ticket),
            (peer, train) -> 0,
            wire,
            new RoundCompletion(Stage.MIXED, 1),
            false,
            false);
    Workers workers =
        new Workers(
            executor,
            () -> {
              throw new IllegalStateException("an overlay trains nothing");
            },
            () -> 0);
    simulation =
        new Simulation(
            spec,
            workers,
            observed -> {},
            shell(),
            new Invariants(List.of(trafficListener(), additionalListener)));
  }

  private static long operations(Ticket ticket) {
    return ticket instanceof Ticket.Call call ? call.function().operations() : 0;
  }

  private List<Peer> peers(ProofVerifier verifier) {
    LongFunction<ElectionIdentity> identities =
        ElectionIdentity.fromSeed(environment.streams().seed(), verifier);
    List<Peer> peers = new ArrayList<>();
    for (int i = 0; i < signatures.size(); i++) {
      ElectionIdentity identity = identities.apply(i);
      Overlay overlay =
          new Overlay(
              new OverlayContext(
                  new PeerId(i),
                  settings,
                  identity.secret(),
                  environment.device(i).servingRate(),
                  identity.previousEpoch(),
                  verifier));
      QueryClient queryClient =
          new QueryClient(signatures.signatures().get(i), signatures.minimumEntries().get(i));
      peers.add(
          new Peer(
              List.of(
                  new PeerLayer<>(Component.DISCOVERY, overlay, OverlayState.class),
                  new PeerLayer<>(Component.METHOD, queryClient, QueryClient.State.class))));
    }
    return peers;
  }

  /**
   * Computes and verifies the election scores of all peers on all cores, for a verifier that caches
   * them.
   */
  public static void precomputeProofs(ProofVerifier verifier, long seed, int peers) {
    LongFunction<ElectionIdentity> identities = ElectionIdentity.fromSeed(seed, verifier);
    IntStream.range(0, peers)
        .parallel()
        .forEach(
            i -> {
              PeerId peer = new PeerId(i);
              ElectionIdentity own = identities.apply(i);
              ElectionScore.ProvenScore provenScore =
                  verifier.draw(peer, own.secret(), own.previousEpoch());
              if (verifier.verify(peer, own.previousEpoch(), provenScore.proof()).isEmpty()) {
                throw new IllegalStateException(peer + " cannot prove its own score");
              }
            });
  }

  private ShellService shell() {
    return (peer, message) -> {
      if (!(message instanceof QueryClient.ReadyForQuery readyForQuery)) {
        throw new IllegalStateException(peer + " sent an unexpected message: " + message);
      }
      if (readyForQuery.lastResult().isPresent()) {
        workload.answered(peer, readyForQuery.lastResult().get());
      } else {
        readyPeers++;
        readyTick = now();
      }
      Optional<QueryClient.IssueQuery> next = workload.next(peer, now());
      return next.<LocalMessage>map(issueQuery -> issueQuery)
          .orElseGet(QueryClient.NoMoreQueries::new);
    };
  }

  private long now() {
    return simulation.tick();
  }

  private StepListener trafficListener() {
    return new StepListener() {
      @Override
      public void sent(Transfer transfer, long tick) {
        String name = transfer.message().getClass().getSimpleName();
        trafficByMessage.put(
            name,
            trafficByMessage.getOrDefault(name, TrafficVolume.NONE).plus(transfer.controlBytes()));
        if (transfer.message() instanceof SearchMessage message) {
          long number = message.id().originalNumber();
          searchTraffic.put(
              number,
              searchTraffic.getOrDefault(number, TrafficVolume.NONE).plus(transfer.controlBytes()));
        } else {
          buildTraffic = buildTraffic.plus(transfer.controlBytes());
        }
      }

      @Override
      public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
        states[(int) peer.number()] = (OverlayState) step.state().layers().getFirst();
      }
    };
  }

  /** Processes the next event; false if there is none. */
  public boolean step() {
    return simulation.step();
  }

  public void run() {
    while (step()) {
      // The step does all the work.
    }
  }

  /** Processes events up to the given tick. */
  public void runUntil(long tick) {
    while (simulation.tick() < tick && step()) {
      // The step does all the work.
    }
  }

  public Simulation simulation() {
    return simulation;
  }

  /** The overlay states of the live peers. */
  public SortedMap<PeerId, OverlayState> liveStates() {
    SortedMap<PeerId, OverlayState> live = new TreeMap<>();
    for (PeerId peer : livePeers()) {
      live.put(peer, states[(int) peer.number()]);
    }
    return live;
  }

  /** Peers that are neither down nor finished. */
  public List<PeerId> livePeers() {
    return simulation.unfinishedPeers();
  }

  public OverlayStructure structure() {
    return new OverlayStructure(liveStates(), settings, wire);
  }

  /** Number of peers that were notified that the overlay is built. */
  public int readyPeers() {
    return readyPeers;
  }

  /** The tick at which the last peer was notified. */
  public long readyTick() {
    return readyTick;
  }

  public TrafficVolume buildTraffic() {
    return buildTraffic;
  }

  /** Traffic of all queries with this number. */
  public TrafficVolume searchTraffic(long number) {
    return searchTraffic.getOrDefault(number, TrafficVolume.NONE);
  }

  /** Traffic by message type. */
  public SortedMap<String, TrafficVolume> trafficByMessage() {
    return trafficByMessage;
  }
}
