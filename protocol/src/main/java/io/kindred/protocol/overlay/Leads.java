package io.kindred.protocol.overlay;

import io.kindred.core.PeerId;
import io.kindred.protocol.clusters.ZoneId;
import io.kindred.protocol.election.Score;
import io.kindred.protocol.overlay.Lead.Stage;
import io.kindred.protocol.overlay.OverlayMessage.Accepted;
import io.kindred.protocol.overlay.OverlayMessage.Admission;
import io.kindred.protocol.overlay.OverlayMessage.Adopted;
import io.kindred.protocol.overlay.OverlayMessage.HandOver;
import io.kindred.protocol.overlay.OverlayMessage.Join;
import io.kindred.protocol.overlay.OverlayMessage.Moved;
import io.kindred.protocol.overlay.OverlayMessage.Neighbor;
import io.kindred.protocol.overlay.OverlayMessage.Register;
import io.kindred.protocol.overlay.Vertex.Envelope;
import io.kindred.protocol.overlay.Vertex.Frontier;
import io.kindred.protocol.overlay.Vertex.Residence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What an initiator does for its zone until it is settled (SemanticDFL, algorithm 3): it takes
 * members, waits until every neighbour of theirs is in some zone, splits what is too large, and
 * goes elsewhere itself if nobody came.
 */
final class Leads {
  static final String RIPE = "overlay-ripe";
  static final String ANYWAY = "overlay-seal-anyway";
  static final String MERGE = "overlay-merge";

  /** Waves after which a zone no longer waits for members that do not report. */
  private static final int MOST_WAVES = 32;

  private static final int MERGE_SPREAD = 8;

  private final Turn turn;

  Leads(Turn turn) {
    this.turn = turn;
  }

  void start(Adjacent zone) {
    boolean alone = turn.vertex(zone.zone().level()).links().isEmpty();
    Member self = new Member(turn.self(), turn.context.capacity(), turn.drawn().score(), 0);
    turn.put(Lead.of(zone, alone ? Stage.RIPE : Stage.OPEN).add(self));
    if (!alone) {
      long wave = turn.settings.waveTicks();
      turn.levelAlarm(RIPE, zone.zone().level(), 2 * wave);
      turn.levelAlarm(ANYWAY, zone.zone().level(), MOST_WAVES * wave);
    }
  }

  void registered(PeerId from, Register register) {
    Optional<Score> score = turn.check(from, register.proof());
    if (score.isEmpty()) {
      return;
    }
    Lead lead = turn.lead(register.level());
    Member member = new Member(from, register.capacity(), score.get(), register.distance());
    if (lead != null && lead.takesMembers(turn.settings.zoneSize())) {
      take(lead, member);
    } else {
      turn.count("overlay-registered-late");
      turn.send(from, new Admission(register.zone(), false));
    }
  }

  private void take(Lead lead, Member member) {
    Lead larger = lead.add(member);
    turn.put(
        switch (lead.stage()) {
          case REFUSED -> larger.with(Stage.RIPE);
          case CROWNED -> larger.with(Stage.COLLECTING);
          default -> larger;
        });
    if (lead.collecting() || lead.stage() == Stage.CROWNED) {
      turn.send(member.peer(), new OverlayMessage.SignatureProbe(lead.id()));
    }
  }

  void asked(PeerId from, Join join) {
    Optional<Score> score = turn.check(from, join.proof());
    if (score.isEmpty()) {
      return;
    }
    Lead lead = turn.lead(join.level());
    boolean room = lead != null && lead.takesMembers(turn.settings.zoneSize());
    turn.send(from, new Admission(join.zone(), room));
    if (lead != null && room) {
      take(lead, new Member(from, join.capacity(), score.get(), turn.settings.radius() + 1));
    }
  }

  void reported(PeerId from, Neighbor report) {
    Lead lead = turn.lead(report.level());
    if (lead == null || !lead.id().equals(report.zone())) {
      turn.count("overlay-reported-elsewhere");
      return;
    }
    turn.put(lead.report(from, report.adjacent()));
    switch (lead.stage()) {
      case OPEN, RIPE, REFUSED, MERGING, MERGING_AGAIN -> seal(report.level());
      case COLLECTING, COLLECTING_AGAIN, CLUSTERING, PUBLISHED ->
          report.adjacent().forEach(each -> linkAbove(report.level(), each));
      case CROWNED -> uncrown(report.level());
    }
  }

  /** There is another zone after all. */
  void uncrown(int level) {
    Lead lead = turn.lead(level);
    if (lead != null && lead.stage() == Stage.CROWNED) {
      new Clusters(turn).cluster(lead);
    }
  }

  private void linkAbove(int level, Adjacent zone) {
    new Elections(turn).link(level + 1, zone.zone().initiator());
  }

  void ripens(int level) {
    Lead lead = turn.lead(level);
    if (lead != null && lead.stage() == Stage.OPEN) {
      turn.put(lead.with(Stage.RIPE));
      seal(level);
    }
  }

  void sealsAnyway(int level) {
    Lead lead = turn.lead(level);
    if (lead != null && lead.stage() == Stage.RIPE) {
      turn.count("overlay-sealed-without-reports");
      settle(lead.handingTo(Optional.empty()));
    }
  }

  /** Members that have not reported may still have neighbours without a zone. */
  private void seal(int level) {
    Lead lead = turn.lead(level);
    if (lead != null
        && lead.stage() == Stage.RIPE
        && lead.heir().isEmpty()
        && lead.reported().containsAll(lead.members().keySet())) {
      settle(lead);
    }
  }

  private void settle(Lead lead) {
    if (lead.members().size() == 1 && !lead.adjacent().isEmpty()) {
      merge(lead, Stage.MERGING);
    } else if (lead.members().size() > turn.settings.zoneSize()) {
      turn.put(split(lead, lead.id(), inOrder(lead)));
    } else {
      collect(lead);
    }
  }

  private static List<Member> inOrder(Lead lead) {
    return lead.members().values().stream().sorted(Member.BREADTH_FIRST).toList();
  }

  /** Nobody came: a zone of one has no replicas, so it looks for room elsewhere. */
  private void merge(Lead lead, Stage stage) {
    turn.put(lead.with(stage));
    List<Adjacent> others = lead.adjacent().values().stream().sorted().toList();
    new Zones(turn).seekRoom(lead.level(), others);
  }

  /**
   * Two that are alone and ask each other at once both refuse; the second time they do not meet.
   */
  void refused(int level) {
    Lead lead = turn.lead(level);
    if (lead == null) {
      return;
    }
    Vertex vertex = turn.vertex(level);
    turn.put(vertex.with(Residence.in(lead.zone(), 0)));
    // Those who asked in the meantime wait for an answer.
    vertex.frontier().zones().keySet().stream()
        .filter(peer -> !vertex.links().contains(peer))
        .forEach(peer -> new Zones(turn).announceTo(level, peer));
    if (lead.stage() == Stage.MERGING) {
      turn.put(lead.with(Stage.REFUSED));
      long turns = 1 + Long.remainderUnsigned(lead.zone().scoreBits(), MERGE_SPREAD);
      turn.levelAlarm(MERGE, level, 2 * turns * turn.settings.hopTicks());
    } else {
      collect(lead);
    }
    new Zones(turn).report(level);
  }

  void mergesAgain(int level) {
    Lead lead = turn.lead(level);
    if (lead != null && lead.stage() == Stage.REFUSED) {
      merge(lead, Stage.MERGING_AGAIN);
    }
  }

  /** Another zone had room, so this one is no more. */
  void gaveUp(int level, Adjacent into) {
    if (turn.lead(level) == null) {
      return;
    }
    turn.dissolve(level, into);
    Vertex above = turn.vertex(level + 1);
    turn.put(Vertex.fresh(level + 1));
    for (Envelope each : above.early()) {
      new Elections(turn).tooEarly(each.from(), each.message());
    }
  }

  /** A zone that bordered on ours is part of another one now. */
  void moved(PeerId from, Moved moved) {
    int level = moved.from().level();
    Lead lead = turn.lead(level);
    Vertex above = turn.vertex(level + 1);
    if (lead == null || !above.begun()) {
      return;
    }
    SortedMap<ZoneId, Adjacent> left = new TreeMap<>(lead.adjacent());
    left.remove(moved.from());
    turn.put(lead.withAdjacent(left));
    turn.put(
        above
            .with(Rows.without(above.links(), from))
            .with(
                new Frontier(
                    Rows.without(above.frontier().zones(), from), above.frontier().reported())));
    if (!moved.to().zone().equals(lead.id())) {
      turn.put(lead.withAdjacent(Rows.with(left, moved.to().zone(), moved.to())));
      linkAbove(level, moved.to());
    }
    new Zones(turn).report(level + 1);
  }

  /**
   * Keeps the first members in the given order and hands the rest to the one of them with the
   * lowest score. Never leaves a single one, which could only go elsewhere.
   */
  private Lead split(Lead lead, ZoneId registered, List<Member> order) {
    int most = turn.settings.zoneSize();
    int kept = order.size() - most == 1 && most > 2 ? most - 1 : Math.min(most, order.size());
    SortedMap<PeerId, Member> members = new TreeMap<>();
    order.subList(0, kept).forEach(each -> members.put(each.peer(), each));
    List<Member> rest = order.subList(kept, order.size());
    if (rest.isEmpty()) {
      return lead.with(members);
    }
    Member next = rest.stream().min(Comparator.comparing(Member::score)).orElseThrow();
    turn.send(next.peer(), new HandOver(lead.zone(), registered, rest));
    ZoneId zone = new ZoneId(turn.epoch(), lead.level(), next.peer());
    return lead.with(members)
        .border(new Adjacent(zone, next.score().bits()))
        .handingTo(Optional.of(next.peer()));
  }

  /**
   * A zone that was split goes on only now. Had it spoken on the next level before, that could have
   * overtaken what it handed over; and one who had given up a zone before would have answered that
   * it moved, and would not have been waited for when it led again.
   */
  void accepted(PeerId from, Accepted accepted) {
    Lead lead = turn.lead(accepted.level());
    if (lead != null && lead.heir().filter(from::equals).isPresent()) {
      turn.put(lead.handingTo(Optional.empty()));
      seal(accepted.level());
    }
  }

  void handedOver(HandOver handOver) {
    int level = handOver.level();
    Vertex vertex = turn.vertex(level);
    if (!vertex.isIn(handOver.registered())) {
      turn.count("overlay-handed-over-elsewhere");
      return;
    }
    List<Member> order = new ArrayList<>(handOver.members());
    order.sort(
        Comparator.<Member>comparingInt(each -> each.peer().equals(turn.self()) ? 0 : 1)
            .thenComparing(Member.BREADTH_FIRST));
    Adjacent zone = new Adjacent(turn.ownZone(level), turn.drawn().score().bits());
    Lead lead = Lead.of(zone, Stage.RIPE).border(handOver.from());
    lead = split(lead, handOver.registered(), order);
    turn.put(lead);
    for (PeerId member : lead.members().keySet()) {
      if (!member.equals(turn.self())) {
        turn.send(member, new Adopted(handOver.registered(), zone));
      }
    }
    turn.send(handOver.from().zone().initiator(), new Accepted(handOver.from().zone()));
    turn.levelAlarm(ANYWAY, level, MOST_WAVES * turn.settings.waveTicks());
    new Zones(turn).resettle(vertex, zone, 0);
  }

  /** The zone is settled: its clusters can be found, and its place among other zones. */
  private void collect(Lead lead) {
    turn.put(lead.with(Stage.COLLECTING));
    new Clusters(turn).collect(lead);
    // Without any other zone there is nobody to elect with; clusters then decide what comes next.
    if (!lead.adjacent().isEmpty()) {
      rise(lead);
    }
  }

  /** Takes part on the next level, linked to the initiators of zones that border on this one. */
  void rise(Lead lead) {
    if (lead.level() < ZoneId.MOST_LEVELS && !turn.vertex(lead.level() + 1).begun()) {
      List<PeerId> others =
          lead.adjacent().keySet().stream().map(ZoneId::initiator).sorted().toList();
      new Elections(turn).begin(lead.level() + 1, others);
    }
  }
}
