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

/** A client, which is also the head of its cluster if the coordinator assigns it so. */
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
        0,
        Optional.empty());
  }

  @Override
  public Step<HflState> step(HflState state, Event event) {
    ClientStep clientStep = new ClientStep(this, (ClientState) state, event.tick());
    switch (event) {
      case Event.Started started -> {
        clientStep.setNeighbours(started.neighbours());
        clientStep.askForModel();
      }
      case Event.Restored restored -> {
        // A client that was down no longer takes part in the round, as a head or as a member.
        clientStep.abandonRound();
        clientStep.setNeighbours(restored.neighbours());
        clientStep.askForModel();
      }
      case Event.NeighboursChanged changed -> clientStep.setNeighbours(changed.neighbours());
      case Event.LinkMeasured link -> clientStep.linkMeasured(link.peer(), link.bytesPerSecond());
      case Event.Received received -> received(clientStep, received.from(), received);
      case Event.SendFailed failed ->
          new FailedSendStep(clientStep).failed(failed.to(), failed.message());
      case Event.TimerFired fired -> clientStep.timerFired(fired.timer());
      case Event.Computed computed -> clientStep.computed(computed.ticket(), computed.result());
      case Event.LeaveRequested _, Event.Notified _ -> {}
    }
    return clientStep.toStep();
  }

  private void received(ClientStep clientStep, PeerId from, Event.Received received) {
    boolean wanted =
        received.message() instanceof HflMessage message
            && switch (message) {
              case HflMessage.Begin begin ->
                  from.equals(context.server()) && clientStep.beginRound(begin);
              case HflMessage.Assignment assignment ->
                  from.equals(context.server()) && clientStep.assignmentReceived(assignment);
              case HflMessage.ClusterModel model -> clientStep.clusterModelReceived(from, model);
              case HflMessage.Update update -> clientStep.updateReceived(from, update);
              case HflMessage.TakeOver takeOver ->
                  new DeputyStep(clientStep).takenOver(from, takeOver);
              case HflMessage.ClusterDone done ->
                  new DeputyStep(clientStep).clusterDone(from, done);
              case HflMessage.FinalModel last ->
                  from.equals(context.server()) && clientStep.finalModelReceived(last);
              case HflMessage.Behind behind -> clientStep.behindReceived(from, behind);
              case HflMessage.SubmitReport _, HflMessage.Outcome _, HflMessage.AskForModel _ ->
                  false;
            };
    if (!wanted) {
      clientStep.count("unexpected-message");
    }
  }
}
