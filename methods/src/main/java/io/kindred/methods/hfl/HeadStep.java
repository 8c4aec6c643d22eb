package io.kindred.methods.hfl;

import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Ticks;
import io.kindred.core.weights.Weights;
import io.kindred.methods.hfl.FormClusters.Member;
import io.kindred.methods.hfl.HflState.HeadState;
import io.kindred.methods.hfl.HflState.ReceivedModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * A client's step as the head of its cluster: it waits for its members' models and its own,
 * averages them, and sends the average to the members or, after the last step, to the coordinator.
 * A member that takes far longer than it reported is no longer awaited. If it answers late, it is
 * reported as slow (section 5.5.4); a member that has crashed or lost its connection does not
 * answer, and is not reported.
 */
record HeadStep(ClientStep clientStep) {
  private HeadState headState() {
    return clientStep.membership().headState().orElseThrow();
  }

  void startLeading(List<Member> members) {
    clientStep.setHeadState(
        new HeadState(
            members, List.of(), List.of(), List.of(), List.of(), 0, 0, RegionState.INITIAL));
    startStep();
  }

  /** Begins a step: awaits all members, with a timeout that follows from their reports. */
  private void startStep() {
    HeadState before = headState();
    double longest =
        before.members().stream()
            .mapToDouble(each -> each.updateSeconds() + each.returnSeconds())
            .max()
            .orElse(0);
    long timerNumber = clientStep.setTimer("step", timeoutTicks(longest));
    clientStep.setHeadState(
        HeadStateBuilder.from(before)
            .awaited(before.members().stream().map(Member::peer).toList())
            .receivedModels(List.of())
            .stepStartTick(clientStep.tick())
            .timerNumber(timerNumber)
            .build());
  }

  private long timeoutTicks(double seconds) {
    return Ticks.ofSeconds(
        clientStep.method().slowFactor() * seconds + clientStep.method().timeout().minSeconds());
  }

  boolean behindReceived(PeerId from, HflMessage.Behind behind) {
    return clientStep.isForMyCluster(from, behind) && answeredLate(from);
  }

  /** A member's model of this step, or the answer of a member that was too late. */
  boolean updateReceived(PeerId from, HflMessage.Update update) {
    if (!clientStep.isForMyCluster(from, update)) {
      return update.roundAttempt().equals(clientStep.roundAttempt())
          && clientStep.isCompatible(update.weights())
          && new DeputyStep(clientStep).updateReceived(from, update);
    }
    // A message that had to be sent again is late because of its connection, not of its sender.
    boolean excused = update.attempt() > 0;
    if (clientStep.membership().step() == update.step()
        && clientStep.isCompatible(update.weights())
        && headState().awaited().contains(from)) {
      measureLink(from, update);
      modelReceived(from, update.weights(), excused);
      return true;
    }
    return !excused && answeredLate(from);
  }

  /**
   * Adds the model of an awaited member.
   *
   * @param excused whether the model may be late without fault of the member
   */
  void modelReceived(PeerId from, Weights weights, boolean excused) {
    HeadState now = headState();
    List<ReceivedModel> models = new ArrayList<>(now.receivedModels());
    models.add(new ReceivedModel(from, weights, clientStep.tick()));
    List<PeerId> slow = new ArrayList<>(now.slowMembers());
    boolean late =
        !excused
            && now.members().stream()
                .anyMatch(
                    each ->
                        each.peer().equals(from)
                            && clientStep.tick() - now.stepStartTick()
                                > timeoutTicks(each.updateSeconds() + each.returnSeconds()));
    if (late) {
      slow.add(from);
    }
    clientStep.setHeadState(
        HeadStateBuilder.from(now).receivedModels(models).slowMembers(slow).build());
    stopAwaiting(from);
  }

  /** A member that cannot be reached is not waited for in this step. */
  void memberUnreachable(PeerId member) {
    if (!member.equals(clientStep.context().self())) {
      stopAwaiting(member);
    }
  }

  private void stopAwaiting(PeerId member) {
    HeadState now = headState();
    if (!now.awaited().contains(member)) {
      return;
    }
    List<PeerId> left = now.awaited().stream().filter(each -> !each.equals(member)).toList();
    clientStep.setHeadState(HeadStateBuilder.from(now).awaited(left).build());
    if (left.isEmpty()) {
      average();
    }
  }

  /** Notes that a member answers after the head stopped waiting; false if the head never did. */
  boolean answeredLate(PeerId member) {
    HeadState now = headState();
    if (!now.overdue().contains(member)) {
      return false;
    }
    List<PeerId> slow = new ArrayList<>(now.slowMembers());
    slow.add(member);
    clientStep.setHeadState(
        HeadStateBuilder.from(now)
            .overdue(now.overdue().stream().filter(each -> !each.equals(member)).toList())
            .slowMembers(slow)
            .build());
    return true;
  }

  /** Members whose models are missing now are overdue; the head still waits for its own model. */
  void stepTimedOut() {
    HeadState now = headState();
    PeerId self = clientStep.context().self();
    List<PeerId> overdue = new ArrayList<>(now.overdue());
    now.awaited().stream()
        .filter(each -> !each.equals(self) && !overdue.contains(each))
        .forEach(overdue::add);
    List<PeerId> left = now.awaited().stream().filter(each -> each.equals(self)).toList();
    if (now.awaited().isEmpty()) {
      return;
    }
    clientStep.setHeadState(HeadStateBuilder.from(now).awaited(left).overdue(overdue).build());
    if (left.isEmpty()) {
      average();
    }
  }

  /** How long the head has held a member's model of this step; negative if there is none. */
  private long heldTicks(PeerId member) {
    return headState().receivedModels().stream()
        .filter(each -> each.from().equals(member))
        .mapToLong(each -> clientStep.tick() - each.tick())
        .findFirst()
        .orElse(-1);
  }

  private void measureLink(PeerId member, HflMessage.Update update) {
    if (update.attempt() == 0) {
      clientStep
          .links()
          .exchanged(
              member,
              clientStep.tick() - headState().stepStartTick(),
              update.heldTicks(),
              update.weights());
    }
  }

  private double share(PeerId peer) {
    return headState().members().stream()
        .filter(each -> each.peer().equals(peer))
        .mapToDouble(Member::share)
        .sum();
  }

  private List<ReceivedModel> sortedModels() {
    return headState().receivedModels().stream()
        .sorted(Comparator.comparing(ReceivedModel::from))
        .toList();
  }

  private void average() {
    clientStep.average(
        sortedModels().stream()
            .map(each -> new ModelAverage.Model(each.from(), each.weights(), share(each.from())))
            .toList());
  }

  void averaged(Weights weights) {
    int step = clientStep.membership().step();
    List<PeerId> from = sortedModels().stream().map(ReceivedModel::from).toList();
    List<PeerId> slow = List.copyOf(new TreeSet<>(headState().slowMembers()));
    RegionStep region = new RegionStep(clientStep);
    if (region.isCycleEnd(step)) {
      region.clusterAveraged(weights, from, slow, from.stream().mapToDouble(this::share).sum());
    } else if (step + 1 == clientStep.membership().rounds()) {
      clusterDone();
      clientStep.sendOutcome(weights, from, slow);
    } else {
      beginStep(step + 1, weights);
    }
  }

  /** The deputy has nothing to take over any more. */
  void clusterDone() {
    clientStep
        .membership()
        .deputy()
        .ifPresent(
            deputy ->
                clientStep.send(deputy, new HflMessage.ClusterDone(clientStep.roundAttempt())));
  }

  /** The cluster goes on with this model. */
  void beginStep(int next, Weights weights) {
    PeerId self = clientStep.context().self();
    for (Member member : headState().members()) {
      if (!member.peer().equals(self)) {
        clientStep.sendClusterModel(member.peer(), next, weights, heldTicks(member.peer()));
      }
    }
    startStep();
    clientStep.train(weights, next);
  }
}
