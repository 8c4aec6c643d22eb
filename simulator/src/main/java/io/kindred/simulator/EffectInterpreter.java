package io.kindred.simulator;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.PeerId;
import io.kindred.simulator.state.QueuedEvent;
import io.kindred.simulator.state.SimulationSpec;

/** Carries out the effects of a peer's step, most of them by scheduling what follows from them. */
final class EffectInterpreter {
  private final SimulationSpec spec;
  private final VirtualClock clock;
  private final EventQueue queue;
  private final PeerTable peerTable;
  private final CurrentEnvironment environment;
  private final SimulatedNetwork network;
  private final RunStatistics statistics;
  private final ObservationLog log;
  private final ShellService service;

  EffectInterpreter(
      SimulationSpec spec,
      VirtualClock clock,
      EventQueue queue,
      PeerTable peerTable,
      CurrentEnvironment environment,
      SimulatedNetwork network,
      RunStatistics statistics,
      ObservationLog log,
      ShellService service) {
    this.spec = spec;
    this.clock = clock;
    this.queue = queue;
    this.peerTable = peerTable;
    this.environment = environment;
    this.network = network;
    this.statistics = statistics;
    this.log = log;
    this.service = service;
  }

  void interpret(int peer, Component component, Effect effect) {
    long incarnation = peerTable.incarnation(peer);
    switch (effect) {
      case Effect.Send send -> network.send(peer, component, send);
      case Effect.SetTimer setTimer ->
          queue.schedule(
              clock.tickAfter(peer, setTimer.afterTicks()),
              peer,
              peer,
              new QueuedEvent.TimerExpiry(component, setTimer.timer(), incarnation));
      case Effect.Compute compute ->
          queue.schedule(
              completionTick(peer, compute.work()),
              peer,
              peer,
              new QueuedEvent.Work(component, compute.ticket(), compute.work(), incarnation));
      case Effect.Observe observe -> log.observe(peer, observe.observation());
      case Effect.Notify notify ->
          queue.schedule(
              clock.tick() + 1,
              peer,
              peer,
              new QueuedEvent.ShellReply(
                  component,
                  service.answer(new PeerId(peer), notify.message(), peerTable),
                  incarnation));
    }
  }

  /** When a device, which computes one ticket after another, has completed this one. */
  private long completionTick(int peer, Ticket ticket) {
    long operations = spec.operations().applyAsLong(new PeerId(peer), ticket);
    long ticks = environment.computeTicks(peer, operations * peerTable.slowness(peer));
    if (peer < spec.peers()) {
      statistics.timeBreakdown().computed(peer, ticket, ticks);
      if (ticket instanceof Ticket.Train train) {
        double epochs = spec.epochs().applyAsDouble(new PeerId(peer), train);
        statistics.timeBreakdown().trained(peer, epochs);
      }
    }
    return peerTable.occupy(peer, clock.tick(), ticks);
  }
}
