package io.kindred.methods.hfl;

import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Ticks;
import io.kindred.core.weights.Weights;
import io.kindred.methods.hfl.HflMessage.ClusterAverage;
import io.kindred.methods.hfl.HflState.Membership;
import io.kindred.methods.hfl.RegionState.ReceivedAverage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A head's step in its region. After a share of its rounds the head sends the average of its
 * cluster to the leader, and continues with the average of the region. If the leader cannot be
 * reached or is silent, the head sends its cluster's model to the coordinator, which ends the
 * cluster's round. A leader waits for its own cluster, and then for the others as long as the
 * slowest of them may take.
 */
record RegionStep(ClientStep clientStep) {
  private static final String REGION = "region";

  private Membership membership() {
    return clientStep.membership();
  }

  private boolean isHeadInRegion() {
    return clientStep.isMember()
        && membership().headState().isPresent()
        && membership().region().isPresent();
  }

  private Region region() {
    return membership().region().orElseThrow();
  }

  private RegionState state() {
    return membership().headState().orElseThrow().regionState();
  }

  private void setState(RegionState next) {
    clientStep.setHeadState(
        HeadStateBuilder.from(membership().headState().orElseThrow()).regionState(next).build());
  }

  private PeerId self() {
    return clientStep.context().self();
  }

  private boolean isLeader() {
    return region().leader().equals(self());
  }

  private int stepsPerCycle() {
    return membership().rounds() / region().cycles();
  }

  /** Whether the models of the region are averaged after this step. */
  boolean isCycleEnd(int step) {
    return membership().region().isPresent() && (step + 1) % stepsPerCycle() == 0;
  }

  /** The head's cluster has averaged the last step of a cycle. */
  void clusterAveraged(Weights weights, List<PeerId> from, List<PeerId> slow, double share) {
    clientStep.finishWork();
    ClusterAverage average = new ClusterAverage(membership().cluster(), weights, from, slow, share);
    Hfl method = clientStep.method();
    long timer =
        clientStep.setTimer(
            REGION,
            Ticks.ofSeconds(
                isLeader() ? region().leaderSeconds(method) : region().headSeconds(method)));
    setState(
        RegionStateBuilder.from(state()).waiting(Optional.of(average)).timerNumber(timer).build());
    if (isLeader()) {
      add(self(), average);
    } else {
      clientStep.send(
          region().leader(),
          new HflMessage.RegionUpdate(clientStep.roundAttempt(), cycle(), average, 0));
    }
  }

  private int cycle() {
    return (membership().step() + 1) / stepsPerCycle();
  }

  /** To the leader: the model of a cluster. */
  boolean updateReceived(PeerId from, HflMessage.RegionUpdate update) {
    if (!isHeadInRegion()
        || !isLeader()
        || !update.roundAttempt().equals(clientStep.roundAttempt())
        || !isValid(from, update.average())) {
      return false;
    }
    if (update.cycle() < state().cycle()) {
      // A deputy, or a head that was late, continues with the average that it has missed.
      clientStep.send(from, model(state().cycle() - 1, state().latest().orElseThrow()));
      return true;
    }
    boolean isNew =
        update.cycle() == state().cycle()
            && !state().averaging()
            && state().received().stream()
                .noneMatch(
                    each ->
                        each.average().cluster() == update.average().cluster()
                            && each.from().equals(from));
    if (isNew) {
      add(from, update.average());
    }
    return isNew;
  }

  private boolean isValid(PeerId from, ClusterAverage average) {
    return region()
            .part(average.cluster())
            .filter(
                part ->
                    part.isLedBy(from) && average.share() >= 0 && average.share() <= part.share())
            .isPresent()
        && clientStep.isCompatible(average.weights());
  }

  /** A deputy's model replaces that of the head, which has crashed since. */
  private void add(PeerId from, ClusterAverage average) {
    setState(
        RegionStateBuilder.from(state())
            .received(
                Stream.concat(
                        state().received().stream()
                            .filter(each -> each.average().cluster() != average.cluster()),
                        Stream.of(new ReceivedAverage(from, average)))
                    .toList())
            .absent(state().absent().stream().filter(each -> each != average.cluster()).toList())
            .build());
    averageIfComplete();
  }

  /** The leader's own model comes first: before it, the leader is still training. */
  private void averageIfComplete() {
    boolean complete =
        region().clusters().stream()
            .map(Region.Part::cluster)
            .allMatch(cluster -> isReceived(cluster) || state().absent().contains(cluster));
    if (complete && isReceived(membership().cluster()) && !state().averaging()) {
      average();
    }
  }

  private boolean isReceived(int cluster) {
    return state().received().stream().anyMatch(each -> each.average().cluster() == cluster);
  }

  private List<ReceivedAverage> sorted() {
    return state().received().stream()
        .sorted(Comparator.comparingInt(each -> each.average().cluster()))
        .toList();
  }

  private void average() {
    setState(RegionStateBuilder.from(state()).averaging(true).build());
    clientStep.average(
        sorted().stream()
            .map(
                each ->
                    new ModelAverage.Model(
                        each.from(), each.average().weights(), each.average().share()))
            .toList());
  }

  /** Whether the average that was computed is that of the region. */
  boolean isAveraging() {
    return isHeadInRegion() && state().averaging();
  }

  /** The leader has the average of the region. */
  void averaged(Weights weights) {
    RegionState before = state();
    int cycle = before.cycle();
    List<ReceivedAverage> parts = sorted();
    setState(
        RegionStateBuilder.from(before)
            .averaging(false)
            .cycle(cycle + 1)
            .received(List.of())
            .latest(Optional.of(weights))
            .build());
    if (cycle == region().cycles()) {
      clientStep.send(
          clientStep.coordinator(),
          new HflMessage.RegionOutcome(
              clientStep.roundAttempt(),
              weights,
              parts.stream()
                  .map(each -> each.average())
                  .map(each -> new HflMessage.Share(each.cluster(), each.from(), each.slow()))
                  .toList(),
              0));
    }
    for (ReceivedAverage part : parts) {
      if (!part.from().equals(self())) {
        clientStep.send(part.from(), model(cycle, weights));
      }
    }
    continueWith(weights, cycle);
  }

  private HflMessage.RegionModel model(int cycle, Weights weights) {
    return new HflMessage.RegionModel(clientStep.roundAttempt(), cycle, weights);
  }

  /** To a head: the average of the region after a cycle, which may be later than its own. */
  boolean modelReceived(PeerId from, HflMessage.RegionModel model) {
    boolean wanted =
        isHeadInRegion()
            && model.roundAttempt().equals(clientStep.roundAttempt())
            && region().leader().equals(from)
            && state().waiting().isPresent()
            && model.cycle() >= cycle()
            && model.cycle() <= region().cycles()
            && clientStep.isCompatible(model.weights());
    if (wanted) {
      continueWith(model.weights(), model.cycle());
    }
    return wanted;
  }

  private void continueWith(Weights weights, int cycle) {
    setState(RegionStateBuilder.from(state()).waiting(Optional.empty()).build());
    if (cycle == region().cycles()) {
      clientStep.finishWork();
      new HeadStep(clientStep).clusterDone();
    } else {
      new HeadStep(clientStep).beginStep(cycle * stepsPerCycle(), weights);
    }
  }

  void timerFired(long number) {
    if (!isHeadInRegion() || state().timerNumber() != number || state().waiting().isEmpty()) {
      return;
    }
    if (!isLeader()) {
      leave();
    } else if (!state().averaging()) {
      clientStep.count("region-incomplete");
      List<Integer> absent = new ArrayList<>(state().absent());
      region().clusters().stream()
          .map(Region.Part::cluster)
          .filter(cluster -> !isReceived(cluster) && !absent.contains(cluster))
          .forEach(absent::add);
      setState(RegionStateBuilder.from(state()).absent(absent).build());
      average();
    }
  }

  /** The leader could not be reached. */
  void updateFailed(HflMessage.RegionUpdate update) {
    if (!isHeadInRegion() || state().waiting().isEmpty() || update.cycle() != cycle()) {
      return;
    }
    if (update.attempt() < ClientStep.RETRIES) {
      clientStep.send(
          region().leader(),
          new HflMessage.RegionUpdate(
              update.roundAttempt(), update.cycle(), update.average(), update.attempt() + 1));
    } else {
      leave();
    }
  }

  /** Ends the cluster's round with what it has learned since the region's last average. */
  private void leave() {
    clientStep.count("region-left");
    ClusterAverage own = state().waiting().orElseThrow();
    setState(RegionStateBuilder.from(state()).waiting(Optional.empty()).build());
    new HeadStep(clientStep).clusterDone();
    clientStep.sendOutcome(own.weights(), own.from(), own.slow());
  }
}
