package io.kindred.protocol.overlay;

import io.kindred.core.PeerId;
import io.kindred.protocol.clusters.ZoneId;
import io.kindred.protocol.overlay.LifeMessage.Copy;
import io.kindred.protocol.overlay.LifeMessage.Deposed;
import io.kindred.protocol.overlay.LifeMessage.Dismissal;
import io.kindred.protocol.overlay.LifeMessage.Farewell;
import io.kindred.protocol.overlay.LifeMessage.Renewal;
import io.kindred.protocol.overlay.LifeMessage.Resignation;
import java.util.List;
import java.util.Optional;

/** What a peer hears from those who lead its zones, and what a leader hears of its own end. */
final class Tenants {
  private final Turn turn;

  Tenants(Turn turn) {
    this.turn = turn;
  }

  void renewed(PeerId from, Renewal renewal) {
    int level = renewal.zone().level();
    Tenancy known = turn.watch().tenancies().get(level);
    Ward led = turn.watch().wards().get(level);
    if (level == 1 && (known == null || !known.zone().equals(renewal.zone()))) {
      moveIn(from, renewal);
      return;
    }
    if (known == null || !known.zone().equals(renewal.zone())) {
      return;
    }
    boolean heard = turn.tick - known.heard() <= turn.settings.life().leaseTicks();
    if (!from.equals(known.leader())
        && (led != null || heard || outdated(renewal.stamp(), known))
        && !outdoes(renewal.stamp(), from, known)) {
      turn.send(from, new Deposed(renewal.zone(), known.stamp(), Optional.of(known.leader())));
      if (led != null && Ward.term(renewal.stamp()) == Ward.term(led.stamp())) {
        new Wards(turn).reclaim(led);
      }
      return;
    }
    if (led != null) {
      abdicate(level);
    }
    accept(from, renewal);
    if (level == 1) {
      renewal.home().ifPresent(home -> turn.settle(Optional.of(home)));
    } else {
      followUp(renewal);
    }
  }

  private static boolean outdated(long stamp, Tenancy known) {
    return Ward.term(stamp) < Ward.term(known.stamp());
  }

  /** A later term; of two who took over at once, the lower id. */
  private static boolean outdoes(long stamp, PeerId leader, Tenancy known) {
    int byTerm = Long.compare(Ward.term(stamp), Ward.term(known.stamp()));
    return byTerm > 0 || (byTerm == 0 && leader.compareTo(known.leader()) < 0);
  }

  private void accept(PeerId from, Renewal renewal) {
    turn.put(new Tenancy(renewal.zone(), renewal.stamp(), from, renewal.deputies(), turn.tick));
    // Who leads the top knows best.
    if (turn.watch().wards().values().stream().noneMatch(Ward::top)) {
      renewal.top().ifPresent(turn::crown);
      turn.pulse(renewal.pulse());
    }
    Ward copy = turn.watch().copies().get(renewal.zone().level());
    if (copy != null && !renewal.deputies().contains(turn.self())) {
      forgetCopy(copy);
    }
  }

  private void forgetCopy(Ward copy) {
    Tenancy kept = turn.watch().tenancies().get(copy.level());
    turn.moveOut(copy.level());
    if (kept != null) {
      turn.put(kept);
    }
  }

  /** A zone took this peer in. One that has a place already says so. */
  private void moveIn(PeerId from, Renewal renewal) {
    boolean seeks = turn.standing.seeking() >= 0;
    if (renewal.home().isEmpty() || !seeks) {
      turn.send(from, new Farewell(renewal.zone()));
      return;
    }
    new Lives(turn).moveOut();
    accept(from, renewal);
    turn.settle(renewal.home());
    turn.standing = turn.standing.seeks(-1, List.of());
    turn.era()
        .place()
        .entries()
        .ifPresent(entries -> turn.tell(new OverlayNote.Ready(turn.epoch(), entries)));
  }

  /** The leader above: does it know what is below, and do the deputies below know who it is? */
  private void followUp(Renewal renewal) {
    int level = renewal.zone().level();
    Ward below = turn.watch().wards().get(level - 1);
    if (below == null) {
      return;
    }
    new Wards(turn).tellBelow(level);
    if (renewal.known() != below.stamp()) {
      new Wards(turn).contribute(below);
    }
  }

  private void abdicate(int level) {
    turn.count("overlay-abdicated");
    Tenancy kept = turn.watch().tenancies().get(level);
    turn.moveOut(level);
    if (kept != null) {
      turn.put(kept);
    }
    // What it led above it led as the leader of this zone.
    for (int above = level + 1; turn.watch().tenancies().containsKey(above); above++) {
      turn.moveOut(above);
    }
  }

  void deposed(PeerId from, Deposed deposed) {
    int level = deposed.zone().level();
    Tenancy known = turn.watch().tenancies().get(level);
    Ward led = turn.watch().wards().get(level);
    if (known == null || !known.zone().equals(deposed.zone())) {
      return;
    }
    if (deposed.leader().isEmpty()) {
      if (level == 1 && led == null) {
        new Newcomers(turn).lose();
      } else if (led == null) {
        // Whoever led the zone above does so no longer: its deputies will know more.
        long past = turn.tick - turn.settings.life().leaseTicks() - 1;
        turn.put(known.heardAt(Math.min(known.heard(), past)));
      }
      return;
    }
    PeerId leader = deposed.leader().get();
    boolean believed =
        (led == null || isAbove(from, level))
            ? !outdated(deposed.stamp(), known)
            : outdoes(deposed.stamp(), leader, known);
    if (leader.equals(turn.self()) || !believed) {
      return;
    }
    if (led != null) {
      abdicate(level);
    }
    turn.put(new Tenancy(known.zone(), deposed.stamp(), leader, known.deputies(), known.heard()));
  }

  /**
   * Two who took over in one term, each followed by others, may never hear of each other. Both hear
   * from who leads the zone above, and that one knows one of them.
   */
  private boolean isAbove(PeerId peer, int level) {
    Tenancy above = turn.watch().tenancies().get(level + 1);
    return above != null && above.leader().equals(peer);
  }

  /** Whether this peer could lead a zone that it is handed. */
  private boolean isSound(Ward ward) {
    boolean sound =
        ward.isSound()
            && turn.areComparable(ward.below())
            && turn.areComparable(ward.descriptors())
            && ward.clusters().stream().allMatch(each -> turn.areComparable(each.children()));
    if (!sound) {
      turn.count("overlay-unsound-copy");
    }
    return sound;
  }

  void copied(Copy copy) {
    Ward ward = copy.ward();
    if (!isSound(ward)) {
      return;
    }
    Ward known = turn.watch().copies().get(ward.level());
    Ward led = turn.watch().wards().get(ward.level());
    if (led == null && (known == null || known.stamp() <= ward.stamp())) {
      turn.copy(ward);
    }
  }

  void resigned(PeerId from, Resignation resignation) {
    Ward ward = resignation.ward();
    if (!isSound(ward)) {
      return;
    }
    Tenancy tenancy = turn.watch().tenancies().get(ward.level());
    boolean elsewhere = tenancy != null && !tenancy.zone().equals(ward.zone());
    if (elsewhere || turn.watch().wards().containsKey(ward.level())) {
      turn.count("overlay-resigned-in-vain");
      return;
    }
    turn.count("overlay-handed-on");
    turn.copy(ward);
    new Wards(turn).takeOver(ward, from);
  }

  void farewell(PeerId from, Farewell farewell) {
    ZoneId zone = farewell.zone();
    Ward ward = turn.watch().wards().get(zone.level());
    if (ward != null && ward.zone().equals(zone) && ward.tenants().containsKey(from)) {
      turn.count("overlay-left");
      new Wards(turn).drop(ward, List.of(from));
    }
  }

  void dismissed(Dismissal dismissal) {
    Seat seat = turn.seat(dismissal.cluster());
    if (seat != null && seat.stamp() <= dismissal.stamp()) {
      turn.vacate(dismissal.cluster());
    }
  }
}
