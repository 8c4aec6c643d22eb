package io.kindred.methods.hfl;

import io.kindred.core.peer.Event;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import io.kindred.core.weights.Floats;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.hfl.HflState.ClientState;
import io.kindred.methods.hfl.HflState.Phase;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** A client, and the head of a cluster where it is told to be. */
record HflClient(Hfl method, PeerContext context) implements Machine<HflState> {
  @Override
  public HflState initial() {
    return new ClientState(
        RoundAttempt.NONE,
        Phase.IDLE,
        Optional.empty(),
        Optional.empty(),
        List.of(),
        new TreeMap<>(),
        0,
        0,
        new ClientReport(
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
    ClientStep turn = new ClientStep(this, (ClientState) state, event.tick());
    switch (event) {
      case Event.Started started -> turn.setNeighbours(started.neighbours());
      case Event.Restored restored -> {
        // Whoever was away is no longer counted on, as a head or as a member.
        turn.abandonRound();
        turn.setNeighbours(restored.neighbours());
      }
      case Event.NeighboursChanged changed -> turn.setNeighbours(changed.neighbours());
      case Event.LinkMeasured link -> turn.linkMeasured(link.peer(), link.bytesPerSecond());
      case Event.Received received -> received(turn, received.from(), received);
      case Event.SendFailed failed -> turn.sendFailed(failed.to(), failed.message());
      case Event.TimerFired fired -> turn.timerFired(fired.timer());
      case Event.Computed computed -> turn.computed(computed.ticket(), computed.result());
      case Event.LeaveRequested _, Event.Notified _ -> {}
    }
    return turn.toStep();
  }

  private void received(ClientStep turn, PeerId from, Event.Received received) {
    boolean wanted =
        received.message() instanceof HflMessage message
            && switch (message) {
              case HflMessage.Begin begin ->
                  from.equals(context.server()) && turn.beginRound(begin);
              case HflMessage.Assignment assignment ->
                  from.equals(context.server()) && turn.assignmentReceived(assignment);
              case HflMessage.ClusterModel model -> turn.clusterModelReceived(from, model);
              case HflMessage.Update update -> turn.updateReceived(from, update);
              case HflMessage.SubmitReport _, HflMessage.Outcome _ -> false;
            };
    if (!wanted) {
      turn.count("unexpected-message");
    }
  }
}
