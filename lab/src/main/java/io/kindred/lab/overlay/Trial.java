package io.kindred.lab.overlay;

import io.kindred.core.Component;
import io.kindred.core.Event;
import io.kindred.core.Note;
import io.kindred.core.PeerId;
import io.kindred.core.peer.Layer;
import io.kindred.core.peer.Peer;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.work.Ticket;
import io.kindred.protocol.election.Score;
import io.kindred.protocol.overlay.Candidacy;
import io.kindred.protocol.overlay.Overlay;
import io.kindred.protocol.overlay.OverlayContext;
import io.kindred.protocol.overlay.OverlayNote;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.OverlayState;
import io.kindred.protocol.overlay.Proofs;
import io.kindred.protocol.overlay.SearchMessage;
import io.kindred.protocol.wire.Wire;
import io.kindred.simulator.Inspector;
import io.kindred.simulator.Scene;
import io.kindred.simulator.ShellService;
import io.kindred.simulator.Simulation;
import io.kindred.simulator.Transfer;
import io.kindred.simulator.Workers;
import io.kindred.simulator.invariants.Invariants;
import io.kindred.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

/** An overlay that is built in a simulated world and then asked, with everything it cost. */
public final class Trial {
  /** What the peers ask: told when a peer is ready or has its answer. */
  public interface Questions {
    /** The next query of a peer, if there is one. */
    Optional<Asker.Ask> next(PeerId peer, long tick);

    void answered(PeerId peer, OverlayNote.Searched answer);
  }

  /** Messages and their bytes. */
  public record Volume(long messages, long bytes) {
    static final Volume NONE = new Volume(0, 0);

    Volume plus(long more) {
      return new Volume(messages + 1, bytes + more);
    }
  }

  private final World world;
  private final OverlaySettings settings;
  private final Population population;
  private final Questions questions;
  private final Wire wire;
  private final OverlayState[] states;
  private final SortedMap<String, Volume> volumes = new TreeMap<>();
  private Volume building = Volume.NONE;
  private final SortedMap<Long, Volume> searching = new TreeMap<>();
  private int ready;
  private long readyTick;
  private final Simulation simulation;

  public Trial(
      World world,
      OverlaySettings settings,
      Population population,
      Questions questions,
      Proofs proofs,
      Executor executor) {
    this(world, settings, population, questions, proofs, executor, Inspector.NONE);
  }

  /** Under the eyes of somebody else. */
  public Trial(
      World world,
      OverlaySettings settings,
      Population population,
      Questions questions,
      Proofs proofs,
      Executor executor,
      Inspector other) {
    this.world = world;
    this.settings = settings;
    this.population = population;
    this.questions = questions;
    List<Class<?>> records = new ArrayList<>(Overlay.records());
    records.addAll(Asker.records());
    wire = new Wire(records);
    states = new OverlayState[population.size()];
    Scene scene =
        new Scene(
            peers(proofs),
            world,
            (peer, ticket) -> operations(ticket),
            wire,
            1,
            false,
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
            scene, workers, observed -> {}, shell(), new Invariants(List.of(inspector(), other)));
  }

  private static long operations(Ticket ticket) {
    return ticket instanceof Ticket.Call call ? call.function().operations() : 0;
  }

  private List<Peer> peers(Proofs proofs) {
    LongFunction<Candidacy> candidacies = Candidacy.derived(world.streams().seed(), proofs);
    List<Peer> peers = new ArrayList<>();
    for (int i = 0; i < population.size(); i++) {
      Candidacy candidacy = candidacies.apply(i);
      Overlay overlay =
          new Overlay(
              new OverlayContext(
                  new PeerId(i),
                  settings,
                  candidacy.secret(),
                  world.device(i).uplink(),
                  candidacy.before(),
                  proofs));
      Asker asker = new Asker(population.signatures().get(i), population.least().get(i));
      peers.add(
          new Peer(
              List.of(
                  new Layer<>(Component.OVERLAY, overlay, OverlayState.class),
                  new Layer<>(Component.METHOD, asker, Asker.State.class))));
    }
    return peers;
  }

  /** Draws and checks the scores of all peers on all cores, for those that will be asked again. */
  public static void prepare(Proofs proofs, long seed, int peers) {
    LongFunction<Candidacy> candidacies = Candidacy.derived(seed, proofs);
    IntStream.range(0, peers)
        .parallel()
        .forEach(
            i -> {
              PeerId peer = new PeerId(i);
              Candidacy own = candidacies.apply(i);
              Score.Drawn drawn = proofs.draw(peer, own.secret(), own.before());
              if (proofs.check(peer, own.before(), drawn.proof()).isEmpty()) {
                throw new IllegalStateException(peer + " cannot show its own score");
              }
            });
  }

  private ShellService shell() {
    return (peer, note) -> {
      if (!(note instanceof Asker.Idle idle)) {
        throw new IllegalStateException(peer + " says " + note);
      }
      if (idle.answered().isPresent()) {
        questions.answered(peer, idle.answered().get());
      } else {
        ready++;
        readyTick = now();
      }
      Optional<Asker.Ask> next = questions.next(peer, now());
      return next.<Note>map(ask -> ask).orElseGet(Asker.Rest::new);
    };
  }

  private long now() {
    return simulation.tick();
  }

  private Inspector inspector() {
    return new Inspector() {
      @Override
      public void sent(Transfer transfer, long tick) {
        String name = transfer.message().getClass().getSimpleName();
        volumes.put(name, volumes.getOrDefault(name, Volume.NONE).plus(transfer.control()));
        if (transfer.message() instanceof SearchMessage message) {
          long number = message.id().question();
          searching.put(
              number, searching.getOrDefault(number, Volume.NONE).plus(transfer.control()));
        } else {
          building = building.plus(transfer.control());
        }
      }

      @Override
      public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
        states[(int) peer.number()] = (OverlayState) step.state().layers().getFirst();
      }
    };
  }

  /** Lets the next thing happen; false when all is over. */
  public boolean step() {
    return simulation.step();
  }

  public void run() {
    while (step()) {
      // Everything is in the step.
    }
  }

  /** Lets happen what happens until then. */
  public void runUntil(long tick) {
    while (simulation.tick() < tick && step()) {
      // Everything is in the step.
    }
  }

  public Simulation simulation() {
    return simulation;
  }

  /** What the overlays of those remember who are there. */
  public SortedMap<PeerId, OverlayState> there() {
    SortedMap<PeerId, OverlayState> there = new TreeMap<>();
    for (PeerId peer : present()) {
      there.put(peer, states[(int) peer.number()]);
    }
    return there;
  }

  /** Who is there. */
  public List<PeerId> present() {
    return simulation.unfinished();
  }

  public Structure structure() {
    return new Structure(there(), settings, wire);
  }

  /** Peers that were told that all is built. */
  public int ready() {
    return ready;
  }

  /** When the last of them was. */
  public long readyTick() {
    return readyTick;
  }

  public Volume building() {
    return building;
  }

  /** What all queries with this number took. */
  public Volume searching(long number) {
    return searching.getOrDefault(number, Volume.NONE);
  }

  /** By the name of the message. */
  public SortedMap<String, Volume> volumes() {
    return volumes;
  }
}
