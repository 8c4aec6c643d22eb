package io.kindred.protocol.overlay.formation;

import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.Copies;
import io.kindred.protocol.overlay.ZoneMember;
import io.kindred.protocol.overlay.ZoneRef;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What an initiator knows of its zone on one level.
 *
 * @param reportedMembers members that have reported their adjacent zones
 * @param pendingSplitLeader the peer that received surplus members, until it confirms that it leads
 *     them
 */
@Buildable
public record ZoneFormation(
    ZoneRef zone,
    Stage stage,
    SortedMap<PeerId, ZoneMember> members,
    List<PeerId> reportedMembers,
    SortedMap<ZoneId, ZoneRef> adjacentZones,
    Optional<PeerId> pendingSplitLeader) {
  public enum Stage {
    /** Peers register; others may still be reached by the probe. */
    OPEN,
    /** The probe's time is over; waits until the neighbours of every member have a zone. */
    AWAITING_REPORTS,
    /** The initiator is the only member and asks other zones for room. */
    MERGING,
    /** All other zones refused the merge; the initiator asks once more after a while. */
    MERGE_REFUSED,
    /** The initiator asks other zones once more. */
    MERGING_AGAIN,
    COLLECTING,
    /** Some members had to be asked again. */
    COLLECTING_AGAIN,
    CLUSTERING,
    PUBLISHED,
    /**
     * The zone has declared itself the only one of its level, so its child clusters are the roots.
     * It cannot be certain: a zone that settles late may appear at any time. Then this one
     * continues like any other zone.
     */
    ROOT
  }

  public static ZoneFormation of(ZoneRef zone, Stage stage) {
    return new ZoneFormation(
        zone, stage, new TreeMap<>(), List.of(), new TreeMap<>(), Optional.empty());
  }

  public ZoneId id() {
    return zone.zone();
  }

  public int level() {
    return zone.zone().level();
  }

  /** Whether the zone's clusters are known: from then on its leader keeps it as a built zone. */
  public boolean built() {
    return stage == Stage.PUBLISHED || stage == Stage.ROOT;
  }

  public boolean collecting() {
    return stage == Stage.COLLECTING || stage == Stage.COLLECTING_AGAIN;
  }

  /**
   * Whether the zone has room: without limit before it settles, as a zone that is too large is
   * split.
   */
  public boolean acceptsMembers(int most) {
    return switch (stage) {
      case OPEN, AWAITING_REPORTS, MERGE_REFUSED -> true;
      case COLLECTING, COLLECTING_AGAIN, ROOT -> members.size() < most;
      case MERGING, MERGING_AGAIN, CLUSTERING, PUBLISHED -> false;
    };
  }

  public ZoneFormation with(Stage next) {
    return ZoneFormationBuilder.from(this).stage(next).build();
  }

  public ZoneFormation with(SortedMap<PeerId, ZoneMember> next) {
    return ZoneFormationBuilder.from(this).members(next).build();
  }

  public ZoneFormation add(ZoneMember member) {
    return with(Copies.with(members, member.peer(), member));
  }

  public ZoneFormation withReport(PeerId member, List<ZoneRef> zones) {
    SortedMap<ZoneId, ZoneRef> more = new TreeMap<>(adjacentZones);
    zones.forEach(each -> more.put(each.zone(), each));
    more.remove(zone.zone());
    List<PeerId> reporters =
        reportedMembers.contains(member) ? reportedMembers : Copies.with(reportedMembers, member);
    return ZoneFormationBuilder.from(this).reportedMembers(reporters).adjacentZones(more).build();
  }

  public ZoneFormation addAdjacent(ZoneRef other) {
    return withAdjacent(Copies.with(adjacentZones, other.zone(), other));
  }

  public ZoneFormation withAdjacent(SortedMap<ZoneId, ZoneRef> next) {
    return ZoneFormationBuilder.from(this).adjacentZones(next).build();
  }

  /** The zone without some of its members. */
  public ZoneFormation without(List<PeerId> removed) {
    SortedMap<PeerId, ZoneMember> remaining = new TreeMap<>(members);
    remaining.keySet().removeAll(removed);
    return with(remaining);
  }

  public ZoneFormation withPendingSplit(Optional<PeerId> next) {
    return ZoneFormationBuilder.from(this).pendingSplitLeader(next).build();
  }
}
