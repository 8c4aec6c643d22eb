package io.kindred.methods.hierarchy;

import io.kindred.core.PeerId;
import io.kindred.core.Ticks;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Part;
import io.kindred.core.weights.Weights;
import io.kindred.methods.hierarchy.FormClusters.Member;
import io.kindred.methods.hierarchy.HflState.Arrived;
import io.kindred.methods.hierarchy.HflState.Duty;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * What a client does as the head of its cluster: it waits for its members' models and its own,
 * averages them, and hands the average back or, after the last step, in. Who takes far longer than
 * it had reported is not waited for, and reported (section 5.5.4).
 */
record HeadTurn(ParticipantTurn turn) {
  private Duty duty() {
    return turn.membership().duty().orElseThrow();
  }

  void takeUp(List<Member> members) {
    turn.remember(new Duty(members, List.of(), List.of(), List.of(), 0, 0));
    expect();
  }

  /** Begins a step: everybody is waited for, so long as may be expected. */
  private void expect() {
    Duty before = duty();
    double longest =
        before.members().stream()
            .mapToDouble(each -> each.seconds() + each.backSeconds())
            .max()
            .orElse(0);
    long alarm = turn.alarm(patience(longest));
    turn.remember(
        new Duty(
            before.members(),
            before.members().stream().map(Member::peer).toList(),
            List.of(),
            before.slow(),
            turn.tick(),
            alarm));
  }

  private long patience(double seconds) {
    return Ticks.ofSeconds(
        turn.method().slow() * seconds + turn.method().patience().leastSeconds());
  }

  void arrives(PeerId from, Weights weights) {
    Duty now = duty();
    if (!now.awaited().contains(from)) {
      return;
    }
    List<Arrived> arrived = new ArrayList<>(now.arrived());
    arrived.add(new Arrived(from, weights));
    List<PeerId> slow = new ArrayList<>(now.slow());
    boolean late =
        now.members().stream()
            .anyMatch(
                each ->
                    each.peer().equals(from)
                        && turn.tick() - now.askedTick()
                            > patience(each.seconds() + each.backSeconds()));
    if (late) {
      slow.add(from);
    }
    turn.remember(
        new Duty(now.members(), now.awaited(), arrived, slow, now.askedTick(), now.alarm()));
    without(from);
  }

  /** A member that cannot be reached is not waited for in this step. */
  void gaveUp(PeerId member) {
    if (!member.equals(turn.context().self())) {
      without(member);
    }
  }

  private void without(PeerId member) {
    Duty now = duty();
    if (!now.awaited().contains(member)) {
      return;
    }
    List<PeerId> left = now.awaited().stream().filter(each -> !each.equals(member)).toList();
    turn.remember(
        new Duty(now.members(), left, now.arrived(), now.slow(), now.askedTick(), now.alarm()));
    if (left.isEmpty()) {
      average();
    }
  }

  /** Whoever is missing now is slow; its own model a head waits for. */
  void late() {
    Duty now = duty();
    PeerId self = turn.context().self();
    List<PeerId> slow = new ArrayList<>(now.slow());
    now.awaited().stream().filter(each -> !each.equals(self)).forEach(slow::add);
    List<PeerId> left = now.awaited().stream().filter(each -> each.equals(self)).toList();
    if (now.awaited().isEmpty()) {
      return;
    }
    turn.remember(new Duty(now.members(), left, now.arrived(), slow, now.askedTick(), now.alarm()));
    if (left.isEmpty()) {
      average();
    }
  }

  private double share(PeerId peer) {
    return duty().members().stream()
        .filter(each -> each.peer().equals(peer))
        .mapToDouble(Member::share)
        .sum();
  }

  private List<Arrived> sorted() {
    return duty().arrived().stream().sorted(Comparator.comparing(Arrived::from)).toList();
  }

  private void average() {
    List<Arrived> all = sorted();
    double total = all.stream().mapToDouble(each -> share(each.from())).sum();
    turn.mix(
        total > 0
            ? new Mixture(
                all.stream()
                    .map(each -> new Part(each.weights(), share(each.from()) / total))
                    .toList())
            : Mixture.mean(all.stream().map(Arrived::weights).toList()));
  }

  void averaged(Weights weights) {
    int next = turn.membership().step() + 1;
    if (next == turn.membership().rounds()) {
      turn.handIn(
          weights,
          sorted().stream().map(Arrived::from).toList(),
          List.copyOf(new TreeSet<>(duty().slow())));
      return;
    }
    PeerId self = turn.context().self();
    for (Member member : duty().members()) {
      if (!member.peer().equals(self)) {
        turn.tellMembers(member.peer(), next, weights);
      }
    }
    expect();
    turn.train(weights, next);
  }
}
