package io.kindred.protocol.overlay;

import io.kindred.core.PeerId;
import io.kindred.protocol.clusters.ClusterDescriptor;
import io.kindred.protocol.clusters.ZoneId;
import io.kindred.protocol.election.Score;
import io.kindred.protocol.overlay.LifeMessage.Admit;
import io.kindred.protocol.overlay.LifeMessage.Beat;
import io.kindred.protocol.overlay.LifeMessage.Copy;
import io.kindred.protocol.overlay.LifeMessage.Deposed;
import io.kindred.protocol.overlay.LifeMessage.Dismissal;
import io.kindred.protocol.overlay.LifeMessage.Farewell;
import io.kindred.protocol.overlay.LifeMessage.Full;
import io.kindred.protocol.overlay.LifeMessage.Renewal;
import io.kindred.protocol.overlay.OverlayMessage.Appointment;
import io.kindred.protocol.overlay.OverlayMessage.Contribution;
import io.kindred.protocol.overlay.OverlayMessage.Parent;
import io.kindred.protocol.overlay.OverlayMessage.Roots;
import io.kindred.protocol.overlay.Ward.Held;
import io.kindred.protocol.overlay.Ward.Tenant;
import io.kindred.protocol.signatures.QuantileSketch;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the leader of a zone does for it once it is built. A change in the zone, such as a tenant
 * that is gone, is told to those whom it concerns: who holds the clusters, their peers or the
 * holders of the clusters in them, the deputies, and the leader of the zone above. If that changes
 * something there, it goes on in the same way; nobody else hears of it.
 */
final class Wards {
  private final Turn turn;

  Wards(Turn turn) {
    this.turn = turn;
  }

  /** The zone is built, or built once more. */
  void found(Lead lead, List<Held> clusters, List<ClusterDescriptor> below) {
    SortedMap<PeerId, Tenant> tenants = new TreeMap<>();
    for (Member each : lead.members().values()) {
      Lead.Offering offering = lead.offerings().get(each.peer());
      Optional<ZoneId> lower =
          offering == null || offering.clusters().isEmpty()
              ? Optional.empty()
              : Optional.of(offering.clusters().getFirst().zone());
      tenants.put(each.peer(), new Tenant(each.peer(), each.capacity(), each.score(), lower, 0));
    }
    turn.put(
        new Ward(
            lead.id(),
            nextStamp(lead.level()),
            !below.isEmpty(),
            tenants,
            clusters,
            below,
            lead.asked().map(zone -> Tenancy.of(zone, turn.tick))));
    Tenancy known = turn.watch().tenancies().get(lead.level());
    if (lead.level() == 1 && known != null && !known.zone().equals(lead.id())) {
      turn.send(known.leader(), new Farewell(known.zone()));
    }
    turn.put(Tenancy.of(lead.id(), turn.tick));
  }

  /** Of what is found out next about a zone. */
  long nextStamp(int level) {
    Ward known = turn.watch().wards().get(level);
    return known == null ? 0 : known.stamp() + 1;
  }

  /** The first beat: deputies learn what they need. */
  void begin(Ward ward) {
    hearAll(ward);
    tellDeputies(ward);
    ward.tenants().values().forEach(each -> renew(ward, each));
  }

  private void hearAll(Ward ward) {
    SortedMap<PeerId, Long> heard = new TreeMap<>();
    heard.put(turn.self(), turn.tick);
    ward.tenants().keySet().forEach(peer -> heard.put(peer, turn.tick));
    turn.hear(ward.level(), heard);
  }

  /**
   * Who leads next: the other tenants by score. A zone with no other tenant has those of the
   * leader's zone below, who take over that one at the same time.
   */
  List<PeerId> deputies(Ward ward) {
    List<PeerId> next = ward.successors(turn.self());
    if (next.isEmpty()) {
      Ward below = turn.watch().wards().get(ward.level() - 1);
      return below == null ? List.of() : deputies(below);
    }
    int most = Math.max(1, turn.settings.replicas() - 1);
    return next.subList(0, Math.min(most, next.size()));
  }

  private void tellDeputies(Ward ward) {
    if (turn.settings.life().lives()) {
      deputies(ward).forEach(each -> turn.send(each, new Copy(ward)));
    }
  }

  private void renew(Ward ward, Tenant tenant) {
    if (tenant.peer().equals(turn.self())) {
      stay(ward);
      return;
    }
    Optional<Seat.Pointer> home =
        ward.home(tenant.peer())
            .map(held -> new Seat.Pointer(held.id(), held.cluster().replicas()));
    turn.send(
        tenant.peer(),
        new Renewal(
            ward.zone(),
            ward.stamp(),
            deputies(ward),
            home,
            tenant.stamp(),
            turn.watch().top(),
            turn.watch().pulse().number()));
  }

  /** The leader is a tenant as well. */
  void stay(Ward ward) {
    turn.put(new Tenancy(ward.zone(), ward.stamp(), turn.self(), deputies(ward), turn.tick));
    if (ward.top()) {
      turn.crown(new Crown(ward.zone(), Ward.term(ward.stamp()), turn.self()));
    }
    tellBelow(ward.level());
    if (ward.level() == 1) {
      ward.home(turn.self())
          .ifPresent(
              held ->
                  turn.settle(Optional.of(new Seat.Pointer(held.id(), held.cluster().replicas()))));
    }
  }

  /** Who would lead the zone below next has to know who leads the one above. */
  void tellBelow(int level) {
    Ward below = turn.watch().wards().get(level - 1);
    Tenancy above = turn.watch().tenancies().get(level);
    if (below == null || above == null) {
      return;
    }
    boolean known =
        below
            .above()
            .filter(
                each ->
                    each.leader().equals(above.leader())
                        && each.deputies().equals(above.deputies())
                        && each.zone().equals(above.zone()))
            .isPresent();
    if (!known) {
      Ward told = below.under(above);
      turn.put(told);
      tellDeputies(told);
    }
  }

  void beaten(PeerId from, Beat beat) {
    if (turn.standing.leaving()) {
      // Its successor will say so; what it says itself could arrive before that one knows.
      return;
    }
    Ward ward = turn.watch().wards().get(beat.zone().level());
    if (ward == null || !ward.zone().equals(beat.zone())) {
      elsewhere(from, beat.zone());
      return;
    }
    Tenant tenant = ward.tenants().get(from);
    if (tenant != null) {
      SortedMap<PeerId, Long> heard =
          turn.watch().heard().getOrDefault(ward.level(), new TreeMap<>());
      turn.hear(ward.level(), Rows.with(heard, from, turn.tick));
      renew(ward, tenant);
    } else if (ward.level() == 1) {
      turn.send(from, new Deposed(beat.zone(), Long.MAX_VALUE, Optional.empty()));
    } else {
      // It leads a zone below since its last leader was lost, and shall say what is in it.
      turn.send(
          from,
          new Renewal(
              ward.zone(),
              ward.stamp(),
              deputies(ward),
              Optional.empty(),
              -1,
              turn.watch().top(),
              turn.watch().pulse().number()));
    }
  }

  /** Tells somebody who takes this peer for the leader of a zone what it knows of it. */
  private void elsewhere(PeerId from, ZoneId zone) {
    Tenancy known = turn.watch().tenancies().get(zone.level());
    if (known == null || !known.zone().equals(zone)) {
      turn.send(from, new Deposed(zone, Long.MAX_VALUE, Optional.empty()));
    } else if (!known.leader().equals(turn.self()) && !known.leader().equals(from)) {
      turn.send(from, new Deposed(zone, known.stamp(), Optional.of(known.leader())));
    }
  }

  /** Tenants that are gone, and what was theirs. */
  void drop(Ward ward, List<PeerId> gone) {
    Ward after = ward;
    for (PeerId peer : gone) {
      Tenant tenant = after.tenants().get(peer);
      if (tenant != null) {
        after = Holding.without(after, tenant);
      }
    }
    change(ward, after);
  }

  /** The clusters of a zone below have changed, or it has another leader, or it is new. */
  void contributed(PeerId from, Contribution contribution) {
    Ward ward = turn.watch().wards().get(contribution.zone().level());
    if (ward == null || !ward.zone().equals(contribution.zone())) {
      turn.count("overlay-offered-elsewhere");
      return;
    }
    if (!turn.areComparable(contribution.clusters())) {
      turn.count(Clusters.OTHER_MODEL);
      return;
    }
    Contribution given = Holding.news(ward, contribution);
    Optional<Tenant> known = ward.leaderOf(given.of());
    if (known.isPresent() && known.get().stamp() >= given.stamp()) {
      if (known.get().peer().equals(from)) {
        renew(ward, known.get());
      } else {
        turn.send(
            from, new Deposed(given.of(), known.get().stamp(), Optional.of(known.get().peer())));
      }
      return;
    }
    if (known.isEmpty() && (given.clusters().isEmpty() || !hasRoom(ward, given))) {
      turn.send(from, new Full(ward.zone()));
      return;
    }
    // Who leads a zone that it has not started comes after those who were elected.
    Score score = known.map(Tenant::score).orElse(new Score(-1, from));
    Ward after = known.map(each -> ward.without(each.peer())).orElse(ward);
    Tenant before = after.tenants().get(from);
    if (before != null) {
      // It led another zone, and nobody leads two: that one is no more, or will say who leads it.
      after = Holding.without(after, before);
    }
    if (!given.clusters().isEmpty()) {
      after =
          after.add(
              new Tenant(
                  from, 0, new Score(score.bits(), from), Optional.of(given.of()), given.stamp()));
    }
    after =
        ward.top()
            ? after.atTop(Holding.replaced(after.below(), given))
            : after.with(Holding.place(after, given, turn.settings));
    SortedMap<PeerId, Long> heard =
        turn.watch().heard().getOrDefault(ward.level(), new TreeMap<>());
    turn.hear(ward.level(), Rows.with(heard, from, turn.tick));
    change(ward, after);
    Tenant tenant = after.tenants().get(from);
    if (tenant != null && !from.equals(turn.self())) {
      renew(turn.watch().wards().getOrDefault(ward.level(), after), tenant);
    }
  }

  /** The top has room for fewer than S_Z clusters, any zone for as many tenants. */
  private boolean hasRoom(Ward ward, Contribution given) {
    int most = turn.settings.zoneSize();
    return ward.tenants().size() < most
        && (!ward.top() || ward.below().size() + given.clusters().size() < most);
  }

  /** A newcomer that was led here by the prototypes. */
  void admit(Admit admit) {
    Ward ward = turn.watch().wards().get(1);
    PeerId peer = admit.who().peer();
    if (ward == null || !ward.zone().equals(admit.at().zone())) {
      turn.count("overlay-offered-elsewhere");
      return;
    }
    Tenant known = ward.tenants().get(peer);
    if (known != null) {
      renew(ward, known);
      return;
    }
    Optional<Score> score = turn.check(peer, admit.who().proof());
    if (score.isEmpty()) {
      return;
    }
    if (ward.tenants().size() >= turn.settings.zoneSize() || ward.clusters().isEmpty()) {
      turn.send(peer, new Full(ward.zone()));
      return;
    }
    turn.count("overlay-joined");
    Tenant tenant = new Tenant(peer, admit.who().capacity(), score.get(), Optional.empty(), 0);
    Held held = ward.cluster(admit.at()).orElse(ward.clusters().getFirst());
    Ward after = ward.add(tenant).with(Holding.with(held, peer));
    SortedMap<PeerId, Long> heard = turn.watch().heard().getOrDefault(1, new TreeMap<>());
    turn.hear(1, Rows.with(heard, peer, turn.tick));
    change(ward, after);
    renew(turn.watch().wards().getOrDefault(1, after), tenant);
  }

  /** Puts the changed zone in order and tells whom it concerns. */
  void change(Ward before, Ward changed) {
    Ward repaired = Holding.repaired(changed, turn.settings.replicas());
    // Otherwise only who leads a zone below, or how much of it is known.
    boolean news = !repaired.saysTheSameAs(before);
    Ward after = news ? repaired.next() : repaired;
    turn.put(after);
    SortedSet<PeerId> moved = new TreeSet<>();
    for (Held held : after.clusters()) {
      Optional<Held> old = before.cluster(held.id());
      if (old.isEmpty() || !old.get().equals(held)) {
        appoint(after, old, held);
        moved.addAll(held.members());
      }
    }
    for (Held old : before.clusters()) {
      Optional<Held> now = after.cluster(old.id());
      for (PeerId peer : old.cluster().replicas()) {
        if (now.isEmpty() || !now.get().cluster().replicas().contains(peer)) {
          turn.send(peer, new Dismissal(old.id(), after.stamp()));
        }
      }
    }
    for (Tenant tenant : after.tenants().values()) {
      if (moved.contains(tenant.peer()) || tenant.peer().equals(turn.self())) {
        renew(after, tenant);
      }
    }
    if (!before.below().equals(after.below())) {
      crown(after);
    }
    if (news) {
      contribute(after);
    }
    if (news || !before.tenants().keySet().equals(after.tenants().keySet())) {
      tellDeputies(after);
    }
  }

  /** Now and then, for what may have been missed. */
  void remind(Ward ward) {
    refresh(ward);
    tellDeputies(ward);
  }

  /** Says once more all that others shall know of it. */
  private void refresh(Ward ward) {
    ward.clusters().forEach(held -> appoint(ward, Optional.empty(), held));
    crown(ward);
  }

  private void appoint(Ward ward, Optional<Held> old, Held held) {
    List<PeerId> replicas = held.cluster().replicas();
    Appointment news =
        new Appointment(held.cluster(), held.members(), held.children(), ward.stamp());
    replicas.forEach(each -> turn.send(each, news));
    boolean others = old.isEmpty() || !old.get().cluster().replicas().equals(replicas);
    for (ClusterDescriptor child : held.children()) {
      boolean same =
          old.isPresent()
              && old.get().children().stream()
                  .anyMatch(
                      each ->
                          each.id().equals(child.id()) && each.replicas().equals(child.replicas()));
      if (others || !same) {
        Parent parent = new Parent(child.id(), held.id(), replicas, ward.stamp());
        child.replicas().forEach(each -> turn.send(each, parent));
      }
    }
  }

  private void crown(Ward ward) {
    for (ClusterDescriptor root : ward.below()) {
      Roots roots = new Roots(root.id(), ward.below(), ward.stamp());
      root.replicas().forEach(each -> turn.send(each, roots));
    }
  }

  void contribute(Ward ward) {
    Tenancy above = turn.watch().tenancies().get(ward.level() + 1);
    if (above != null) {
      turn.send(
          above.leader(),
          new Contribution(
              above.zone(), ward.zone(), ward.stamp(), ward.descriptors(), QuantileSketch.empty()));
    }
  }

  /** Its leader is gone and this peer is next, or was asked to be. */
  void takeOver(Ward copy, PeerId last) {
    Tenancy known = turn.watch().tenancies().get(copy.level());
    long stamp = known == null ? copy.stamp() : Math.max(copy.stamp(), known.stamp());
    Ward mine = copy.inTerm(Ward.term(stamp) + 1);
    turn.put(mine);
    hearAll(mine);
    Optional<Tenancy> told = mine.above();
    Tenancy higher = turn.watch().tenancies().get(mine.level() + 1);
    // What it knows itself of the zone above may be newer.
    if (told.isPresent()
        && (higher == null
            || !higher.zone().equals(told.get().zone())
            || higher.stamp() < told.get().stamp())) {
      turn.put(told.get().heardAt(turn.tick));
    }
    Tenant lost = mine.level() == 1 ? mine.tenants().get(last) : null;
    change(copy, lost == null ? mine : Holding.without(mine, lost));
    Ward now = turn.watch().wards().getOrDefault(mine.level(), mine);
    stay(now);
    now.tenants().values().forEach(each -> renew(now, each));
    Ward below = turn.watch().wards().get(mine.level() - 1);
    if (below != null) {
      contribute(below);
    }
    Ward above = turn.watch().copies().get(mine.level() + 1);
    Tenancy elsewhere = turn.watch().tenancies().get(mine.level() + 1);
    if (above != null
        && above.successors(last).isEmpty()
        && (elsewhere == null || elsewhere.zone().equals(above.zone()))) {
      takeOver(above, last);
    }
  }

  /**
   * Two took over in one term, and what the other one said may look newer than what this one says:
   * another term makes that plain.
   */
  void reclaim(Ward ward) {
    Ward mine = ward.inTerm(Ward.term(ward.stamp()) + 1);
    turn.put(mine);
    refresh(mine);
    stay(mine);
    mine.tenants().values().forEach(each -> renew(mine, each));
    contribute(mine);
    tellDeputies(mine);
  }

  /** Nobody is left to lead it. */
  void dissolve(Ward ward) {
    contribute(ward.with(List.of()).next());
  }
}
