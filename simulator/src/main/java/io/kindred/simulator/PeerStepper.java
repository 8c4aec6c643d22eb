package io.kindred.simulator;

import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Peer;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.protocol.wire.WireOutput;
import io.kindred.simulator.state.SimulationSpec;
import org.jspecify.annotations.Nullable;

/** Delivers an event to a peer: appends it to the trace, keeps the new state, applies effects. */
final class PeerStepper {
  private final SimulationSpec spec;
  private final VirtualClock clock;
  private final PeerTable peerTable;
  private final Trace trace;
  private final EffectInterpreter effects;
  private final StepListener listener;

  PeerStepper(
      SimulationSpec spec,
      VirtualClock clock,
      PeerTable peerTable,
      Trace trace,
      EffectInterpreter effects,
      StepListener listener) {
    this.spec = spec;
    this.clock = clock;
    this.peerTable = peerTable;
    this.trace = trace;
    this.effects = effects;
    this.listener = listener;
  }

  /** Delivers an event to one machine of a peer. */
  void deliver(int receiver, Component component, Event event) {
    appendToTrace(receiver, component, event);
    Peer peer = spec.participants().get(receiver);
    applyStep(receiver, event, peer.step(peerTable.state(receiver), component, event));
  }

  /** Delivers an event to all machines of a peer. */
  void deliverToAll(int receiver, Event event) {
    appendToTrace(receiver, null, event);
    Peer peer = spec.participants().get(receiver);
    applyStep(receiver, event, peer.stepAll(peerTable.state(receiver), event));
  }

  private void appendToTrace(int receiver, @Nullable Component component, Event event) {
    WireOutput out = trace.nextEvent();
    out.writeLong(receiver);
    out.writeText(component == null ? "" : component.recordedName());
    spec.wire().write(Event.class, event, out);
    trace.endEvent();
  }

  private void applyStep(int peer, Event event, PeerStep step) {
    peerTable.setState(peer, step.state());
    listener.stepped(clock.tick(), new PeerId(peer), event, step);
    for (Tagged<Effect> effect : step.effects()) {
      effects.interpret(peer, effect.component(), effect.value());
    }
  }
}
