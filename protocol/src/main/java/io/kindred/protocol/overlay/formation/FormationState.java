package io.kindred.protocol.overlay.formation;

import io.kindred.core.record.Buildable;
import io.kindred.protocol.overlay.Copies;
import io.kindred.protocol.overlay.ZoneRef;
import io.kindred.protocol.vrf.ElectionScore;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A peer's state of zone formation in one epoch, by level.
 *
 * @param ownScore the peer's election score; absent where the peer joined after the elections
 * @param formingZones zones that this peer leads while they form, and afterwards as they were then
 * @param mergedInto the zones that dissolved zones of this peer were merged into
 */
@Buildable
public record FormationState(
    Optional<ElectionScore.ProvenScore> ownScore,
    SortedMap<Integer, LevelState> levels,
    SortedMap<Integer, ZoneFormation> formingZones,
    SortedMap<Integer, ZoneRef> mergedInto) {
  public static final FormationState EMPTY =
      new FormationState(Optional.empty(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>());

  /** The state with which a peer takes part in the elections of an epoch. */
  public static FormationState drawn(ElectionScore.ProvenScore score) {
    return FormationStateBuilder.from(EMPTY).ownScore(Optional.of(score)).build();
  }

  /** The peer's state on a level, which may not have started. */
  public LevelState level(int level) {
    LevelState known = levels.get(level);
    return known == null ? LevelState.initial(level) : known;
  }

  FormationState with(LevelState level) {
    return FormationStateBuilder.from(this)
        .levels(Copies.with(levels, level.level(), level))
        .build();
  }

  /**
   * A peer whose zone has merged may receive a split-off zone on the same level. It must then
   * forget the merge: a zone that it answers with {@code ZoneMerged} no longer waits for it, and
   * may declare itself the only one.
   */
  FormationState with(ZoneFormation formation) {
    return FormationStateBuilder.from(this)
        .formingZones(Copies.with(formingZones, formation.level(), formation))
        .mergedInto(Copies.without(mergedInto, formation.level()))
        .build();
  }

  /** The peer's zone of a level has merged into another one. */
  FormationState dissolve(int level, ZoneRef into) {
    return FormationStateBuilder.from(this)
        .formingZones(Copies.without(formingZones, level))
        .mergedInto(Copies.with(mergedInto, level, into))
        .build();
  }

  /** The peer no longer takes part in forming zones. */
  FormationState abandon() {
    return FormationStateBuilder.from(EMPTY).ownScore(ownScore).build();
  }
}
