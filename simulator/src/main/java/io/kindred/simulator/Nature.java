package io.kindred.simulator;

import io.kindred.core.Event;
import io.kindred.core.PeerId;
import io.kindred.core.peer.PeerState;
import io.kindred.core.random.Purpose;
import io.kindred.core.weights.Ints;
import io.kindred.world.Change;
import io.kindred.world.Device;
import io.kindred.world.Disturbance;
import io.kindred.world.Graph;
import io.kindred.world.Presence;
import io.kindred.world.Rewiring;
import io.kindred.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Lets happen what peers have no part in: turns of the world, peers that come and go, splits. In a
 * world where nothing ever happens it only says who starts with which neighbours.
 */
final class Nature {
  private final Simulation simulation;
  private final Scene scene;
  private final World world;
  private final Population population;
  private final Post post;
  private final List<Disturbance> disturbances;
  private final Device[] devices;
  private final double[] clockRates;
  private final boolean disturbed;
  private final Presence presence = new Attendance();
  private long round;
  private boolean calmed;
  private Graph graph;

  Nature(
      Simulation simulation,
      Scene scene,
      Population population,
      Post post,
      EnvironmentState snapshot) {
    this.simulation = simulation;
    this.scene = scene;
    this.population = population;
    this.post = post;
    world = scene.world();
    disturbances = world.disturbances();
    disturbed = !world.isCalm();
    int participants = scene.participants().size();
    devices = new Device[participants];
    clockRates = new double[participants];
    for (int i = 0; i < participants; i++) {
      devices[i] = world.device(i);
      clockRates[i] = world.faults().clockRate(i, world.streams());
    }
    round = snapshot.round();
    calmed = snapshot.calmed();
    graph = snapshot.graph();
  }

  EnvironmentState snapshot() {
    return new EnvironmentState(round, calmed, graph);
  }

  /** What a disturbance may know of the peers. */
  private final class Attendance implements Presence {
    @Override
    public int peers() {
      return population.peers();
    }

    @Override
    public boolean hasServer() {
      return scene.participants().size() > scene.peers();
    }

    @Override
    public boolean isUp(int peer) {
      return population.isUp(peer);
    }

    @Override
    public double availability(int peer) {
      return devices[peer].availability();
    }
  }

  /** Everybody starts; the world takes its first turn before that. */
  void begin() {
    if (turns()) {
      simulation.scheduleWorld(0, new Pending.Turn(0));
      if (world.faults().untilTick() < Long.MAX_VALUE) {
        simulation.scheduleWorld(
            world.faults().untilTick(),
            new Pending.Happening(0, new Change.Calm(world.faults().untilTick())));
      }
    }
    for (int i = 0; i < scene.participants().size(); i++) {
      List<PeerId> neighbours = neighbours(i);
      population.told.set(i, neighbours);
      simulation.schedule(0, i, i, new Pending.Start(neighbours));
      measure(i, 0);
    }
  }

  /** Whether the world ever changes. */
  boolean turns() {
    return disturbed || world.network().changes();
  }

  long round() {
    return round;
  }

  /** Whether messages simply arrive, by now. */
  boolean sparesMessages() {
    return !disturbed || calmed;
  }

  long clock(int participant, long tick) {
    double rate = clockRates[participant];
    return rate == 1 ? tick : (long) (tick * rate);
  }

  /** How long it takes until so much has gone by on a participant's own clock. */
  long ticksOf(int participant, long localTicks) {
    double rate = clockRates[participant];
    return Math.max(1, rate == 1 ? localTicks : (long) Math.ceil(localTicks / rate));
  }

  long computeTicks(int participant, double operations) {
    return devices[participant].computeTicks(operations / world.speed(participant, round));
  }

  /** Keeps what a peer would find on its disk if it crashed from now on. */
  void save(int participant) {
    if (disturbed) {
      population.saved[participant] = population.states[participant];
    }
  }

  private List<PeerId> neighbours(int participant) {
    if (participant >= graph.peers()) {
      return List.of();
    }
    Ints list = graph.neighbours().get(participant);
    return IntStream.range(0, list.size())
        .map(list::get)
        .filter(population::isUp)
        .mapToObj(PeerId::new)
        .toList();
  }

  private void measure(int participant, long delay) {
    if (!scene.measuresLinks()) {
      return;
    }
    for (PeerId neighbour : neighbours(participant)) {
      simulation.schedule(
          simulation.tick() + delay,
          participant,
          participant,
          new Pending.Measurement(
              neighbour, world.link(participant, (int) neighbour.number(), round)));
    }
  }

  void happen(Pending pending) {
    switch (pending) {
      case Pending.Turn turn -> turn(turn.round());
      case Pending.Happening happening -> change(happening);
      default -> throw new IllegalStateException("not for the world: " + pending);
    }
  }

  private void turn(long number) {
    round = number;
    Disturbance.Round next =
        new Disturbance.Round(number, simulation.tick(), world.network().roundTicks());
    for (int source = 0; source < disturbances.size() && !calmed; source++) {
      for (Change change : disturbances.get(source).during(next, presence, world.streams())) {
        simulation.scheduleWorld(change.tick(), new Pending.Happening(source, change));
      }
    }
    if (number > 0) {
      rewire(number);
    }
    if (number > 0 && world.network().linksChange()) {
      for (int i = 0; i < scene.participants().size(); i++) {
        measure(i, 1);
      }
    }
    if (!calmed || world.network().changes()) {
      simulation.scheduleWorld(
          simulation.tick() + world.network().roundTicks(), new Pending.Turn(number + 1));
    }
  }

  /** Other neighbours for some; everybody learns at once of a neighbourhood that was redrawn. */
  private void rewire(long number) {
    Graph before = graph;
    graph =
        new Rewiring(world.network().rewire())
            .next(
                before,
                world.graph().meanDegree(),
                world.streams().stream(Purpose.TOPOLOGY, 0, number));
    for (int peer = 0; peer < graph.peers(); peer++) {
      if (!graph.neighbours().get(peer).equals(before.neighbours().get(peer))) {
        simulation.schedule(simulation.tick() + 1, peer, peer, new Pending.Notice());
      }
    }
  }

  private void change(Pending.Happening happening) {
    Change change = happening.change();
    if (calmed) {
      return;
    }
    apply(change);
    simulation.changed(change);
    long count =
        switch (change) {
          case Change.Crash(long _, int peer, boolean _) -> ++population.changes[peer];
          case Change.Return(long _, int peer) -> ++population.changes[peer];
          default -> 0;
        };
    disturbances
        .get(happening.source())
        .after(change, count, presence, world.streams())
        .ifPresent(
            next ->
                simulation.scheduleWorld(
                    next.tick(), new Pending.Happening(happening.source(), next)));
  }

  private void apply(Change change) {
    switch (change) {
      case Change.Leave(long _, int peer) -> leave(peer);
      case Change.Crash(long _, int peer, boolean forgets) -> {
        if (population.up[peer]) {
          if (forgets) {
            population.saved[peer] = null;
          }
          goes(peer);
        }
      }
      case Change.Return(long _, int peer) -> comes(peer);
      case Change.Pause(long _, int peer) -> population.paused[peer] = population.up[peer];
      case Change.Resume(long _, int peer) -> resume(peer);
      case Change.Slow(long _, int peer, double factor) -> population.slowness[peer] = factor;
      case Change.Split(long _, Ints sides) -> post.barriers().split(sides);
      case Change.Cut(long _, int from, int to) -> post.barriers().cut(from, to);
      case Change.Heal _ -> post.barriers().heal();
      case Change.Calm _ -> calm();
    }
  }

  private void leave(int peer) {
    if (!population.up[peer] || population.paused[peer]) {
      return;
    }
    simulation.schedule(
        simulation.tick() + world.network().noticeTicks(),
        peer,
        peer,
        new Pending.Departure(population.lives[peer]));
    simulation.deliverToAll(peer, new Event.LeaveRequested(simulation.clock(peer)));
  }

  /** A peer that was asked to leave has had its time; what it knows is safe. */
  void departs(int peer) {
    save(peer);
    goes(peer);
  }

  private void goes(int peer) {
    population.goes(peer);
    simulation.release(peer);
    noticeAround(peer);
  }

  private void comes(int peer) {
    if (population.up[peer]) {
      return;
    }
    @Nullable PeerState saved = population.saved[peer];
    population.comes(
        peer, saved == null ? scene.participants().get(peer).initial() : saved, simulation.tick());
    List<PeerId> neighbours = neighbours(peer);
    population.told.set(peer, neighbours);
    long clock = simulation.clock(peer);
    simulation.deliverToAll(
        peer,
        saved == null
            ? new Event.Started(clock, neighbours)
            : new Event.Restored(clock, neighbours));
    measure(peer, 1);
    noticeAround(peer);
  }

  private void resume(int peer) {
    if (population.paused[peer]) {
      population.paused[peer] = false;
      simulation.release(peer);
    }
  }

  private void calm() {
    post.barriers().heal();
    for (int participant = 0; participant < scene.participants().size(); participant++) {
      population.slowness[participant] = 1;
      resume(participant);
      comes(participant);
    }
    calmed = true;
  }

  /** Those around a peer soon learn that it is gone, or there again. */
  private void noticeAround(int peer) {
    if (peer >= graph.peers()) {
      return; // a server, of whom nobody is a neighbour
    }
    Ints around = graph.neighbours().get(peer);
    for (int i = 0; i < around.size(); i++) {
      simulation.schedule(
          simulation.tick() + world.network().noticeTicks(),
          around.get(i),
          peer,
          new Pending.Notice());
    }
  }

  /** Tells a peer who its neighbours are, unless it knows. */
  void notice(int peer) {
    List<PeerId> now = neighbours(peer);
    if (!now.equals(population.told.get(peer))) {
      population.told.set(peer, now);
      simulation.deliverToAll(
          peer, new Event.NeighboursChanged(simulation.clock(peer), new ArrayList<>(now)));
      measure(peer, 1);
    }
  }
}
