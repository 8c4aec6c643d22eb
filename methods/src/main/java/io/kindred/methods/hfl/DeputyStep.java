package io.kindred.methods.hfl;

import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Ticks;
import io.kindred.methods.hfl.FormClusters.Member;
import io.kindred.methods.hfl.HflState.Membership;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A member's step when the head of its cluster may have crashed. The deputy takes over if it cannot
 * reach the head, hears from a member that cannot, or waits longer than the head would for its
 * slowest member. It asks the members for their models of the current step again, so that the
 * cluster loses the rest of that step at most. If the head was alive it leaves the cluster to the
 * deputy.
 */
record DeputyStep(ClientStep clientStep) {
  private static final String WATCH = "take-over";

  private boolean isDeputy() {
    return clientStep.isMember()
        && membership().headState().isEmpty()
        && !membership().deputyMembers().isEmpty();
  }

  private Membership membership() {
    return clientStep.membership();
  }

  /** Begins to wait for the head's next model. */
  void watchHead() {
    if (!isDeputy()) {
      return;
    }
    double longest =
        membership().deputyMembers().stream()
            .mapToDouble(each -> each.updateSeconds() + each.returnSeconds())
            .max()
            .orElse(0);
    double back =
        membership().deputyMembers().stream().mapToDouble(Member::returnSeconds).max().orElse(0);
    long number =
        clientStep.setTimer(
            WATCH,
            Ticks.ofSeconds(
                clientStep.method().slowFactor() * longest
                    + back
                    + regionSeconds()
                    + 2 * clientStep.method().timeout().minSeconds()));
    clientStep.setMembership(MembershipBuilder.from(membership()).watchNumber(number).build());
  }

  /** After the last step of a cycle the head waits for the average of the region. */
  private double regionSeconds() {
    return new RegionStep(clientStep).isCycleEnd(membership().step())
        ? membership().region().orElseThrow().headSeconds(clientStep.method())
        : 0;
  }

  void timerFired(long number) {
    if (isDeputy() && membership().watchNumber() == number) {
      takeOver();
    }
  }

  /** The head could not be reached, neither now nor before. */
  void headUnreachable() {
    if (isDeputy()) {
      takeOver();
    } else if (membership().deputy().isPresent() && membership().update().isPresent()) {
      clientStep.send(
          membership().deputy().get(),
          new HflMessage.Update(
              clientStep.roundAttempt(),
              membership().step(),
              membership().update().get(),
              -1,
              ClientStep.RETRIES));
    }
  }

  /** A member that cannot reach the head sends its model to the deputy. */
  boolean updateReceived(PeerId from, HflMessage.Update update) {
    if (!isDeputy()
        || update.step() != membership().step()
        || membership().deputyMembers().stream().noneMatch(each -> each.peer().equals(from))) {
      return false;
    }
    takeOver();
    return true;
  }

  private void takeOver() {
    clientStep.count("head-replaced");
    Membership now = membership();
    PeerId self = clientStep.context().self();
    clientStep.setMembership(
        MembershipBuilder.from(now)
            .head(self)
            .deputy(Optional.empty())
            .deputyMembers(List.of())
            // The region has ended if the head was its leader.
            .region(now.region().filter(region -> !region.leader().equals(now.head())))
            .build());
    HflMessage.TakeOver takeOver =
        new HflMessage.TakeOver(clientStep.roundAttempt(), now.cluster(), now.step());
    now.deputyMembers().stream()
        .map(Member::peer)
        .filter(peer -> !peer.equals(self))
        .sorted(Comparator.naturalOrder())
        .forEach(peer -> clientStep.send(peer, takeOver));
    clientStep.send(now.head(), takeOver);
    HeadStep head = new HeadStep(clientStep);
    head.startLeading(now.deputyMembers());
    now.update().ifPresent(own -> head.modelReceived(self, own, true));
  }

  /** The deputy is the head now: it gets this member's model of the current step. */
  boolean takenOver(PeerId from, HflMessage.TakeOver message) {
    if (!clientStep.isMember()
        || !message.roundAttempt().equals(clientStep.roundAttempt())
        || membership().cluster() != message.cluster()
        || !membership().deputy().equals(Optional.of(from))) {
      return false;
    }
    if (membership().headState().isPresent()) {
      // A head that the deputy could not reach leaves the cluster; it takes part in the next round.
      clientStep.abandonRound();
      return true;
    }
    Membership now =
        MembershipBuilder.from(membership()).head(from).deputy(Optional.empty()).build();
    clientStep.setMembership(now);
    if (now.step() > message.step()) {
      // The old head went on before it crashed, and the deputy does not know how.
      clientStep.returnToStep(message.step());
    } else if (now.step() == message.step() && now.update().isPresent()) {
      clientStep.sendUpdate(now.update().get(), -1);
    }
    return true;
  }

  boolean clusterDone(PeerId from, HflMessage.ClusterDone done) {
    boolean wanted =
        isDeputy()
            && done.roundAttempt().equals(clientStep.roundAttempt())
            && membership().head().equals(from);
    if (wanted) {
      clientStep.setMembership(
          MembershipBuilder.from(membership()).deputyMembers(List.of()).build());
    }
    return wanted;
  }
}
