package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
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
 * @param reportedMembers members that have reported their adjacent zones
 * @param inputs what members sent to be clustered; dropped after the clustering
 * @param minimumEntries entries that the zone's peers need, known after the clustering
 * @param requestedBy the parent zone that waits for the clusters
 * @param pendingSplitLeader the peer that received surplus members, until it confirms that it leads
 *     them
 */
@Buildable
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

  /** What a member contributes: its signature, or the clusters of its child zone. */
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

  /** Whether the zone's clusters are known: from then on it is a {@link ZoneState}. */
  boolean built() {
    return stage == Stage.PUBLISHED || stage == Stage.ROOT;
  }

  boolean collecting() {
    return stage == Stage.COLLECTING || stage == Stage.COLLECTING_AGAIN;
  }

  /**
   * Whether the zone has room: without limit before it settles, as a zone that is too large is
   * split.
   */
  boolean acceptsMembers(int most) {
    return switch (stage) {
      case OPEN, AWAITING_REPORTS, MERGE_REFUSED -> true;
      case COLLECTING, COLLECTING_AGAIN, ROOT -> members.size() < most;
      case MERGING, MERGING_AGAIN, CLUSTERING, PUBLISHED -> false;
    };
  }

  ZoneFormation with(Stage next) {
    return ZoneFormationBuilder.from(this).stage(next).build();
  }

  ZoneFormation with(SortedMap<PeerId, ZoneMember> next) {
    return ZoneFormationBuilder.from(this).members(next).build();
  }

  ZoneFormation add(ZoneMember member) {
    return with(Copies.with(members, member.peer(), member));
  }

  ZoneFormation withReport(PeerId member, List<ZoneRef> zones) {
    SortedMap<ZoneId, ZoneRef> more = new TreeMap<>(adjacentZones);
    zones.forEach(each -> more.put(each.zone(), each));
    more.remove(zone.zone());
    List<PeerId> reporters =
        reportedMembers.contains(member) ? reportedMembers : Copies.with(reportedMembers, member);
    return ZoneFormationBuilder.from(this).reportedMembers(reporters).adjacentZones(more).build();
  }

  ZoneFormation addAdjacent(ZoneRef other) {
    return withAdjacent(Copies.with(adjacentZones, other.zone(), other));
  }

  ZoneFormation withAdjacent(SortedMap<ZoneId, ZoneRef> next) {
    return ZoneFormationBuilder.from(this).adjacentZones(next).build();
  }

  ZoneFormation withInput(PeerId member, ClusteringInput clusteringInput) {
    return ZoneFormationBuilder.from(this)
        .inputs(Copies.with(inputs, member, clusteringInput))
        .build();
  }

  /** The zone without some of its members and their inputs. */
  ZoneFormation without(List<PeerId> removed) {
    SortedMap<PeerId, ZoneMember> remaining = new TreeMap<>(members);
    SortedMap<PeerId, ClusteringInput> kept = new TreeMap<>(inputs);
    remaining.keySet().removeAll(removed);
    kept.keySet().removeAll(removed);
    return ZoneFormationBuilder.from(this).members(remaining).inputs(kept).build();
  }

  ZoneFormation asPublished(QuantileSketch found) {
    return ZoneFormationBuilder.from(this)
        .stage(Stage.PUBLISHED)
        .inputs(new TreeMap<>())
        .minimumEntries(found)
        .build();
  }

  ZoneFormation asRoot(QuantileSketch found) {
    return ZoneFormationBuilder.from(this).stage(Stage.ROOT).minimumEntries(found).build();
  }

  ZoneFormation withRequester(ZoneId above) {
    return ZoneFormationBuilder.from(this).requestedBy(Optional.of(above)).build();
  }

  ZoneFormation withPendingSplit(Optional<PeerId> next) {
    return ZoneFormationBuilder.from(this).pendingSplitLeader(next).build();
  }
}
