package io.kindred.methods.hierarchy;

import io.kindred.core.Event;
import io.kindred.core.PeerId;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.Step;
import io.kindred.core.weights.Floats;
import io.kindred.methods.PeerContext;
import io.kindred.methods.hierarchy.HflState.Client;
import io.kindred.methods.hierarchy.HflState.Phase;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** A client, and the head of a cluster where it is told to be. */
record Participant(Hfl method, PeerContext context) implements Machine<HflState> {
  @Override
  public HflState initial() {
    return new Client(
        Session.NONE,
        Phase.IDLE,
        Optional.empty(),
        Optional.empty(),
        List.of(),
        new TreeMap<>(),
        0,
        0,
        new Report(
            context.self(),
            context.samples(),
            0,
            0,
            List.of(),
            Optional.empty(),
            Floats.of(),
            Optional.empty()),
        Optional.empty());
  }

  @Override
  public Step<HflState> step(HflState state, Event event) {
    ParticipantTurn turn = new ParticipantTurn(this, (Client) state, event.tick());
    switch (event) {
      case Event.Started started -> turn.surroundedBy(started.neighbours());
      case Event.Restored restored -> {
        // Whoever was away is no longer counted on, as a head or as a member.
        turn.quit();
        turn.surroundedBy(restored.neighbours());
      }
      case Event.NeighboursChanged changed -> turn.surroundedBy(changed.neighbours());
      case Event.LinkMeasured link -> turn.measured(link.peer(), link.bytesPerSecond());
      case Event.Received received -> received(turn, received.from(), received);
      case Event.SendFailed failed -> turn.failed(failed.to(), failed.message());
      case Event.TimerFired fired -> turn.fired(fired.timer());
      case Event.Computed computed -> turn.computed(computed.ticket(), computed.result());
      case Event.LeaveRequested _, Event.Told _ -> {}
    }
    return turn.end();
  }

  private void received(ParticipantTurn turn, PeerId from, Event.Received received) {
    boolean wanted =
        received.message() instanceof HflMessage message
            && switch (message) {
              case HflMessage.Begin begin -> from.equals(context.server()) && turn.begin(begin);
              case HflMessage.Assignment assignment ->
                  from.equals(context.server()) && turn.assigned(assignment);
              case HflMessage.ClusterModel model -> turn.goesOn(from, model);
              case HflMessage.Update update -> turn.takes(from, update);
              case HflMessage.Told _, HflMessage.Outcome _ -> false;
            };
    if (!wanted) {
      turn.count("unexpected-message");
    }
  }
}
