package io.kindred.protocol.overlay;

import io.kindred.core.PeerId;
import io.kindred.core.Ticks;
import io.kindred.protocol.clusters.ZoneId;
import io.kindred.protocol.overlay.LifeMessage.Beat;
import io.kindred.protocol.overlay.LifeMessage.Farewell;
import io.kindred.protocol.overlay.LifeMessage.Hail;
import io.kindred.protocol.overlay.LifeMessage.Resignation;
import io.kindred.protocol.overlay.OverlayState.Standing.Doubt;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The pulse of a peer (SemanticDFL, section 3.7): at every beat it gives a sign of life to those
 * who lead its zones, looks who was not heard of in the zones that it leads, takes over where a
 * leader is gone and it is its turn, and begins another epoch when that is due. Only the newest
 * overlay is looked after; an older one answers queries until the new one is built.
 */
final class Lives {
  static final String BEAT = "overlay-beat";

  /** Waves after which an overlay that is not built will not be any more. */
  private static final int BUILD_WAVES = 96;

  /** Leases without a leader after which a tenant gives up its zone. */
  private static final int MOST_LEASES = 6;

  /** Above the lowest level: a zone below finds another leader in the meantime. */
  private static final int PATIENT_LEASES = 4;

  /** Leases without a sign of life from the top after which there is none. */
  private static final int ORPHAN_LEASES = 12;

  /** Leases after which is said once more what may have been missed. */
  private static final int REFRESH_LEASES = 16;

  private static final int HAILED = 2;

  private final Turn turn;
  private final LifeRule rule;

  Lives(Turn turn) {
    this.turn = turn;
    rule = turn.settings.life();
  }

  void start() {
    if (rule.lives()) {
      turn.alarm(BEAT, 0, rule.beatTicks());
    }
  }

  void beat() {
    turn.standing = turn.standing.beaten();
    turn.alarm(BEAT, 0, rule.beatTicks());
    if (turn.standing.leaving()) {
      return;
    }
    if (!turn.knows(turn.newest())) {
      new Newcomers(turn).seek();
      return;
    }
    turn.enter(turn.newest());
    if (turn.era().settled()) {
      tend();
    } else if (turn.standing.seeking() >= 0 || age() > buildTicks()) {
      new Newcomers(turn).seek();
    }
  }

  /** Once a lease rather than once a beat. */
  boolean isSlowBeat() {
    return turn.standing.beats() % rule.heartbeats() == 0;
  }

  private long age() {
    return turn.tick - turn.era().since();
  }

  private long buildTicks() {
    return BUILD_WAVES * turn.settings.waveTicks();
  }

  /** Others are elected and everything is built anew, beside what there is. */
  void beginEpoch(long epoch) {
    turn.begin(epoch, true);
    turn.count("overlay-epoch");
    turn.standing = turn.standing.seeks(-1, List.of());
    new Elections(turn).begin(1, turn.standing.neighbours());
  }

  /**
   * Something is broken that cannot be mended nearby, such as all who held the top: the next epoch
   * mends it. Not at once after the last, or those that are late would break it again.
   */
  void despair() {
    if (age() > buildTicks()) {
      turn.count("overlay-despaired");
      beginEpoch(turn.newest() + 1);
    }
  }

  private void tend() {
    long epoch = turn.epoch();
    if (rule.epochSeconds() > 0 && age() >= Ticks.ofSeconds(rule.epochSeconds())) {
      beginEpoch(turn.newest() + 1);
      return;
    }
    Optional<Ward> top = turn.watch().wards().values().stream().filter(Ward::top).findFirst();
    if (top.isPresent()) {
      turn.pulse(turn.watch().pulse().number() + 1);
      if (top.get().below().size() >= Math.max(2, turn.settings.zoneSize())) {
        // Zones below have found more clusters than one top has room for: it takes a level more.
        despair();
        if (turn.epoch() != epoch) {
          return;
        }
      }
    } else if (turn.tick - turn.watch().pulse().tick() > ORPHAN_LEASES * rule.leaseTicks()) {
      despair();
      return;
    }
    for (int level : List.copyOf(turn.watch().wards().keySet())) {
      lookAfter(level);
    }
    for (Tenancy tenancy : List.copyOf(turn.watch().tenancies().values())) {
      if (!turn.watch().wards().containsKey(tenancy.level())) {
        showUp(tenancy);
      }
      if (turn.epoch() != epoch || !turn.era().settled()) {
        return;
      }
    }
    if (isSlowBeat()) {
      vacate();
      turn.watch().top().ifPresent(this::hail);
    }
  }

  /** Two neighbours at a time, all in turn. */
  private void hail(Crown top) {
    List<PeerId> neighbours = turn.standing.neighbours();
    // Not all the same one at once.
    long first = HAILED * (turn.self().number() + turn.standing.beats() / rule.heartbeats());
    for (int i = 0; i < Math.min(HAILED, neighbours.size()); i++) {
      turn.send(
          neighbours.get((int) ((first + i) % neighbours.size())), new Hail(turn.epoch(), top));
    }
  }

  /** A cluster that nobody speaks of any more has other holders. */
  private void vacate() {
    long oldest = turn.tick - 3L * REFRESH_LEASES * rule.leaseTicks();
    for (Seat seat : turn.seats()) {
      if (seat.stamps().heard() < oldest) {
        turn.count("overlay-vacated");
        turn.vacate(seat.cluster().id());
      }
    }
  }

  /** As a leader: who was not heard of for a lease is gone. */
  private void lookAfter(int level) {
    Ward ward = turn.watch().wards().get(level);
    if (ward == null) {
      return;
    }
    if (level > 1 && !turn.watch().wards().containsKey(level - 1)) {
      // It led this one as the leader of a zone below.
      resign(ward);
      turn.moveOut(level);
      return;
    }
    SortedMap<PeerId, Long> heard = turn.watch().heard().get(level);
    // Tenants may have shown up before this peer itself knew that all is built.
    if (heard == null || !heard.containsKey(turn.self())) {
      new Wards(turn).begin(ward);
      return;
    }
    long limit = rule.leaseTicks() * (level == 1 ? 1 : PATIENT_LEASES);
    List<PeerId> gone = new ArrayList<>();
    for (PeerId tenant : ward.tenants().keySet()) {
      if (tenant.equals(turn.self())) {
        continue;
      }
      if (!heard.containsKey(tenant)) {
        heard = Rows.with(heard, tenant, turn.tick);
      } else if (turn.tick - heard.get(tenant) > limit) {
        gone.add(tenant);
      }
    }
    turn.hear(level, heard);
    // Its own zone below may have found another leader while this one could not be reached.
    Ward below = turn.watch().wards().get(level - 1);
    if (below != null
        && ward.leaderOf(below.zone()).filter(each -> each.stamp() == below.stamp()).isEmpty()) {
      new Wards(turn).contribute(below);
    }
    long refresh = (long) REFRESH_LEASES * rule.heartbeats();
    if (!gone.isEmpty()) {
      gone.forEach(each -> turn.count("overlay-gone"));
      new Wards(turn).drop(ward, gone);
    } else if (turn.standing.beats() % refresh == turn.self().number() % refresh) {
      new Wards(turn).remind(ward);
    }
    Ward now = turn.watch().wards().get(level);
    if (now != null) {
      new Wards(turn).stay(now);
    }
    if (level == 1 && ward.tenants().size() == 1 && isSlowBeat()) {
      new Newcomers(turn).seekCompany(ward);
    } else if (level == 1 && now != null) {
      new Regroups(turn).lookAfter(now);
    }
  }

  /** As a tenant. */
  private void showUp(Tenancy tenancy) {
    Ward below = turn.watch().wards().get(tenancy.level() - 1);
    if (tenancy.level() > 1 && below == null) {
      turn.moveOut(tenancy.level());
      return;
    }
    Beat beat = new Beat(tenancy.zone(), below == null ? 0 : below.stamp());
    long silence = turn.tick - tenancy.heard();
    turn.send(tenancy.leader(), beat);
    if (silence <= rule.leaseTicks()) {
      return;
    }
    int rank = tenancy.deputies().indexOf(turn.self());
    Ward copy = turn.watch().copies().get(tenancy.level());
    if (rank >= 0
        && copy != null
        && copy.zone().equals(tenancy.zone())
        && silence > rule.leaseTicks() + rank * rule.leaseTicks() / 2) {
      turn.count("overlay-taken-over");
      new Wards(turn).takeOver(copy, tenancy.leader());
      return;
    }
    for (PeerId deputy : tenancy.deputies()) {
      if (!deputy.equals(turn.self())) {
        turn.send(deputy, beat);
      }
    }
    if (silence > MOST_LEASES * rule.leaseTicks()) {
      if (tenancy.level() == 1) {
        new Newcomers(turn).lose();
      } else {
        despair();
      }
    }
  }

  /** Two who are settled in different overlays, each thought to be the only one. */
  void hailed(Hail hail) {
    if (!turn.knows(turn.newest())) {
      return;
    }
    turn.enter(turn.newest());
    if (!turn.era().settled() || age() <= buildTicks()) {
      return;
    }
    if (turn.canFollow(hail.epoch())) {
      new Newcomers(turn).lose();
    } else if (hail.epoch() == turn.epoch()) {
      compare(hail.top());
    }
  }

  /** News of another leader at the top takes its time; what differs for long is another top. */
  private void compare(Crown top) {
    Optional<Crown> own = turn.watch().top();
    if (own.isEmpty() || own.get().equals(top)) {
      return;
    }
    long patience = MOST_LEASES * rule.leaseTicks();
    Optional<Doubt> doubt =
        turn.standing
            .doubt()
            .filter(each -> each.own().equals(own.get()) && turn.tick - each.last() <= patience);
    long since = doubt.map(Doubt::since).orElse(turn.tick);
    turn.standing = turn.standing.doubts(Optional.of(new Doubt(own.get(), since, turn.tick)));
    if (turn.tick - since > patience) {
      turn.count("overlay-met-another");
      turn.standing = turn.standing.doubts(Optional.empty());
      despair();
    }
  }

  /** Hands over whatever it leads and says goodbye. */
  void leave() {
    turn.standing = turn.standing.leaves();
    if (rule.lives() && turn.knows(turn.newest())) {
      turn.enter(turn.newest());
      moveOut();
    }
  }

  /** Leaves its zone and everything that it led above. */
  void moveOut() {
    Tenancy home = turn.watch().tenancies().get(1);
    if (home != null && !turn.watch().wards().containsKey(1)) {
      turn.send(home.leader(), new Farewell(home.zone()));
    }
    List.copyOf(turn.watch().wards().values()).forEach(this::resign);
    SortedMap<Integer, Tenancy> all = new TreeMap<>(turn.watch().tenancies());
    all.keySet().forEach(turn::moveOut);
    List.copyOf(turn.watch().wards().keySet()).forEach(turn::moveOut);
    turn.seats(new TreeMap<>());
    turn.settle(Optional.empty());
    turn.disband();
  }

  private void resign(Ward ward) {
    List<PeerId> next = new Wards(turn).deputies(ward);
    if (next.isEmpty()) {
      new Wards(turn).dissolve(ward);
    } else {
      turn.send(next.getFirst(), new Resignation(ward));
    }
  }

  /** Whoever leads a zone on a level, as far as this peer knows. */
  Optional<PeerId> leaderOf(ZoneId zone) {
    Ward ward = turn.watch().wards().get(zone.level());
    if (ward != null && ward.zone().equals(zone)) {
      return Optional.of(turn.self());
    }
    Tenancy tenancy = turn.watch().tenancies().get(zone.level());
    return tenancy != null && tenancy.zone().equals(zone)
        ? Optional.of(tenancy.leader())
        : Optional.empty();
  }
}
