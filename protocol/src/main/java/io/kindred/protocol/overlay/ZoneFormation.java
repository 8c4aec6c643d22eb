package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.signature.QuantileSketch;
import io.kindred.protocol.signature.Signature;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What an initiator knows of its zone on one level.
 *
 * @param reportedMembers members that have said which zones they border on
 * @param inputs what members sent to be clustered; dropped once it is
 * @param minimumEntries what its peers would need, once they are clustered
 * @param requestedBy the zone above that waits for them
 * @param pendingSplitLeader who was handed members that were too many, until it says that it leads
 *     them
 */
record ZoneFormation(
    ZoneRef zone,
    Stage stage,
    SortedMap<PeerId, ZoneMember> members,
    List<PeerId> reportedMembers,
    SortedMap<ZoneId, ZoneRef> adjacentZones,
    SortedMap<PeerId, ClusteringInput> inputs,
    QuantileSketch minimumEntries,
    Optional<ZoneId> requestedBy,
    Optional<PeerId> pendingSplitLeader) {
  enum Stage {
    /** Peers register; it is too early to ask whether all have. */
    OPEN,
    /** The probe's time is over; waiting until every member has settled neighbours. */
    AWAITING_REPORTS,
    /** Alone, and asking other zones for room. */
    MERGING,
    /** Asked to merge and was refused by all: asks once more after a while. */
    MERGE_REFUSED,
    /** Asking once more. */
    MERGING_AGAIN,
    COLLECTING,
    /** Some had to be asked again. */
    COLLECTING_AGAIN,
    CLUSTERING,
    PUBLISHED,
    /**
     * Called itself the last, so that what it collected is the top. It cannot know that it is: a
     * zone that settles late may turn up any time. Then it goes on as any other zone would have.
     */
    ROOT
  }

  /** A signature from below, or clusters with their descriptors. */
  record ClusteringInput(
      Optional<Signature> signature,
      List<ClusterDescriptor> clusters,
      QuantileSketch minimumEntries) {}

  static ZoneFormation of(ZoneRef zone, Stage stage) {
    return new ZoneFormation(
        zone,
        stage,
        new TreeMap<>(),
        List.of(),
        new TreeMap<>(),
        new TreeMap<>(),
        QuantileSketch.empty(),
        Optional.empty(),
        Optional.empty());
  }

  ZoneId id() {
    return zone.zone();
  }

  int level() {
    return zone.zone().level();
  }

  boolean merging() {
    return stage == Stage.MERGING || stage == Stage.MERGING_AGAIN;
  }

  /** Whether its clusters are known: from then on it is a {@link ZoneState}. */
  boolean built() {
    return stage == Stage.PUBLISHED || stage == Stage.ROOT;
  }

  boolean collecting() {
    return stage == Stage.COLLECTING || stage == Stage.COLLECTING_AGAIN;
  }

  /** Whether it has room: always until it is settled, for a zone that is too large is split. */
  boolean acceptsMembers(int most) {
    return switch (stage) {
      case OPEN, AWAITING_REPORTS, MERGE_REFUSED -> true;
      case COLLECTING, COLLECTING_AGAIN, ROOT -> members.size() < most;
      case MERGING, MERGING_AGAIN, CLUSTERING, PUBLISHED -> false;
    };
  }

  ZoneFormation with(Stage next) {
    return new ZoneFormation(
        zone,
        next,
        members,
        reportedMembers,
        adjacentZones,
        inputs,
        minimumEntries,
        requestedBy,
        pendingSplitLeader);
  }

  ZoneFormation with(SortedMap<PeerId, ZoneMember> next) {
    return new ZoneFormation(
        zone,
        stage,
        next,
        reportedMembers,
        adjacentZones,
        inputs,
        minimumEntries,
        requestedBy,
        pendingSplitLeader);
  }

  ZoneFormation add(ZoneMember member) {
    return with(Copies.with(members, member.peer(), member));
  }

  ZoneFormation withReport(PeerId member, List<ZoneRef> zones) {
    SortedMap<ZoneId, ZoneRef> more = new TreeMap<>(adjacentZones);
    zones.forEach(each -> more.put(each.zone(), each));
    more.remove(zone.zone());
    List<PeerId> who =
        reportedMembers.contains(member) ? reportedMembers : Copies.with(reportedMembers, member);
    return new ZoneFormation(
        zone, stage, members, who, more, inputs, minimumEntries, requestedBy, pendingSplitLeader);
  }

  ZoneFormation addAdjacent(ZoneRef other) {
    return withAdjacent(Copies.with(adjacentZones, other.zone(), other));
  }

  ZoneFormation withAdjacent(SortedMap<ZoneId, ZoneRef> next) {
    return new ZoneFormation(
        zone,
        stage,
        members,
        reportedMembers,
        next,
        inputs,
        minimumEntries,
        requestedBy,
        pendingSplitLeader);
  }

  ZoneFormation withInput(PeerId member, ClusteringInput clusteringInput) {
    return new ZoneFormation(
        zone,
        stage,
        members,
        reportedMembers,
        adjacentZones,
        Copies.with(inputs, member, clusteringInput),
        minimumEntries,
        requestedBy,
        pendingSplitLeader);
  }

  /** Without some of its members and what they sent. */
  ZoneFormation without(List<PeerId> gone) {
    SortedMap<PeerId, ZoneMember> stay = new TreeMap<>(members);
    SortedMap<PeerId, ClusteringInput> kept = new TreeMap<>(inputs);
    stay.keySet().removeAll(gone);
    kept.keySet().removeAll(gone);
    return new ZoneFormation(
        zone,
        stage,
        stay,
        reportedMembers,
        adjacentZones,
        kept,
        minimumEntries,
        requestedBy,
        pendingSplitLeader);
  }

  ZoneFormation asPublished(QuantileSketch found) {
    return new ZoneFormation(
        zone,
        Stage.PUBLISHED,
        members,
        reportedMembers,
        adjacentZones,
        new TreeMap<>(),
        found,
        requestedBy,
        pendingSplitLeader);
  }

  ZoneFormation asRoot(QuantileSketch found) {
    return new ZoneFormation(
        zone,
        Stage.ROOT,
        members,
        reportedMembers,
        adjacentZones,
        inputs,
        found,
        requestedBy,
        pendingSplitLeader);
  }

  ZoneFormation withRequester(ZoneId above) {
    return new ZoneFormation(
        zone,
        stage,
        members,
        reportedMembers,
        adjacentZones,
        inputs,
        minimumEntries,
        Optional.of(above),
        pendingSplitLeader);
  }

  ZoneFormation withPendingSplit(Optional<PeerId> next) {
    return new ZoneFormation(
        zone,
        stage,
        members,
        reportedMembers,
        adjacentZones,
        inputs,
        minimumEntries,
        requestedBy,
        next);
  }
}
