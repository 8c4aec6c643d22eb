package io.kindred.protocol.overlay;

import io.kindred.core.PeerId;
import io.kindred.protocol.clusters.ClusterDescriptor;
import io.kindred.protocol.clusters.ZoneId;
import io.kindred.protocol.signatures.QuantileSketch;
import io.kindred.protocol.signatures.Signature;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What an initiator knows of its zone on one level.
 *
 * @param reported members that have said which zones they border on
 * @param offerings what members sent to be clustered; dropped once it is
 * @param least what its peers would need, once they are clustered
 * @param asked the zone above that waits for them
 * @param heir who was handed members that were too many, until it says that it leads them
 */
record Lead(
    Adjacent zone,
    Stage stage,
    SortedMap<PeerId, Member> members,
    List<PeerId> reported,
    SortedMap<ZoneId, Adjacent> adjacent,
    SortedMap<PeerId, Offering> offerings,
    QuantileSketch least,
    Optional<ZoneId> asked,
    Optional<PeerId> heir) {
  enum Stage {
    /** Peers register; it is too early to ask whether all have. */
    OPEN,
    /** The probe's time is over; waiting until every member has settled neighbours. */
    RIPE,
    /** Alone, and asking other zones for room. */
    MERGING,
    /** Asked to merge and was refused by all: asks once more after a while. */
    REFUSED,
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
    CROWNED
  }

  /** A signature from below, or clusters with their descriptors. */
  record Offering(
      Optional<Signature> signature, List<ClusterDescriptor> clusters, QuantileSketch least) {}

  static Lead of(Adjacent zone, Stage stage) {
    return new Lead(
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

  /** Whether its clusters are known: from then on it is a {@link Ward}. */
  boolean built() {
    return stage == Stage.PUBLISHED || stage == Stage.CROWNED;
  }

  boolean collecting() {
    return stage == Stage.COLLECTING || stage == Stage.COLLECTING_AGAIN;
  }

  /** Whether it has room: always until it is settled, for a zone that is too large is split. */
  boolean takesMembers(int most) {
    return switch (stage) {
      case OPEN, RIPE, REFUSED -> true;
      case COLLECTING, COLLECTING_AGAIN, CROWNED -> members.size() < most;
      case MERGING, MERGING_AGAIN, CLUSTERING, PUBLISHED -> false;
    };
  }

  Lead with(Stage next) {
    return new Lead(zone, next, members, reported, adjacent, offerings, least, asked, heir);
  }

  Lead with(SortedMap<PeerId, Member> next) {
    return new Lead(zone, stage, next, reported, adjacent, offerings, least, asked, heir);
  }

  Lead add(Member member) {
    return with(Rows.with(members, member.peer(), member));
  }

  Lead report(PeerId member, List<Adjacent> zones) {
    SortedMap<ZoneId, Adjacent> more = new TreeMap<>(adjacent);
    zones.forEach(each -> more.put(each.zone(), each));
    more.remove(zone.zone());
    List<PeerId> who = reported.contains(member) ? reported : Rows.with(reported, member);
    return new Lead(zone, stage, members, who, more, offerings, least, asked, heir);
  }

  Lead border(Adjacent other) {
    return withAdjacent(Rows.with(adjacent, other.zone(), other));
  }

  Lead withAdjacent(SortedMap<ZoneId, Adjacent> next) {
    return new Lead(zone, stage, members, reported, next, offerings, least, asked, heir);
  }

  Lead offer(PeerId member, Offering offering) {
    return new Lead(
        zone,
        stage,
        members,
        reported,
        adjacent,
        Rows.with(offerings, member, offering),
        least,
        asked,
        heir);
  }

  /** Without some of its members and what they sent. */
  Lead without(List<PeerId> gone) {
    SortedMap<PeerId, Member> stay = new TreeMap<>(members);
    SortedMap<PeerId, Offering> kept = new TreeMap<>(offerings);
    stay.keySet().removeAll(gone);
    kept.keySet().removeAll(gone);
    return new Lead(zone, stage, stay, reported, adjacent, kept, least, asked, heir);
  }

  Lead publish(QuantileSketch found) {
    return new Lead(
        zone, Stage.PUBLISHED, members, reported, adjacent, new TreeMap<>(), found, asked, heir);
  }

  Lead crown(QuantileSketch found) {
    return new Lead(
        zone, Stage.CROWNED, members, reported, adjacent, offerings, found, asked, heir);
  }

  Lead askedBy(ZoneId above) {
    return new Lead(
        zone, stage, members, reported, adjacent, offerings, least, Optional.of(above), heir);
  }

  Lead handingTo(Optional<PeerId> next) {
    return new Lead(zone, stage, members, reported, adjacent, offerings, least, asked, next);
  }
}
