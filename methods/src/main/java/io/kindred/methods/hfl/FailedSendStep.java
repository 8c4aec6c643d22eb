package io.kindred.methods.hfl;

import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Ticks;
import io.kindred.core.weights.Weights;

/** A client's step when one of its messages has not arrived: it sends most of them again. */
record FailedSendStep(ClientStep clientStep) {
  void failed(PeerId to, Message message) {
    if (message instanceof HflMessage.AskForModel) {
      clientStep.setTimer(ClientStep.ASK, Ticks.ofSeconds(ClientStep.ASK_SECONDS));
    }
    if (!(message instanceof HflMessage about)
        || !about.roundAttempt().equals(clientStep.roundAttempt())) {
      return;
    }
    switch (about) {
      case HflMessage.SubmitReport(RoundAttempt of, ClientReport report, int attempt)
          when attempt < ClientStep.RETRIES ->
          clientStep.send(to, new HflMessage.SubmitReport(of, report, attempt + 1));
      case HflMessage.Update update
          when update.attempt() < ClientStep.RETRIES
              && clientStep.isMember()
              && clientStep.membership().step() == update.step()
              && clientStep.membership().head().equals(to)
              && clientStep.isIdle() ->
          updateFailed(to, update);
      case HflMessage.Outcome outcome when outcome.attempt() < ClientStep.RETRIES ->
          clientStep.send(to, OutcomeBuilder.from(outcome).attempt(outcome.attempt() + 1).build());
      case HflMessage.RegionOutcome outcome when outcome.attempt() < ClientStep.RETRIES ->
          clientStep.send(
              to,
              new HflMessage.RegionOutcome(
                  outcome.roundAttempt(),
                  outcome.weights(),
                  outcome.shares(),
                  outcome.attempt() + 1));
      case HflMessage.RegionUpdate update -> new RegionStep(clientStep).updateFailed(update);
      case HflMessage.ClusterModel model
          when clientStep.isMember()
              && clientStep.membership().headState().isPresent()
              && clientStep.membership().step() == model.step() ->
          new HeadStep(clientStep).memberUnreachable(to);
      default -> {}
    }
  }

  private void updateFailed(PeerId head, HflMessage.Update update) {
    if (update.attempt() > 0) {
      new DeputyStep(clientStep).headUnreachable();
    }
    if (clientStep.membership().headState().isEmpty()) {
      Weights weights = update.weights();
      clientStep.setMembership(
          MembershipBuilder.from(clientStep.membership()).updateTick(clientStep.tick()).build());
      clientStep.send(
          head,
          new HflMessage.Update(
              clientStep.roundAttempt(), update.step(), weights, -1, update.attempt() + 1));
    }
  }
}
