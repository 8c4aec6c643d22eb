package io.kindred.lab.overlay;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.PeerId;
import io.kindred.protocol.overlay.OverlayNote.Searched;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.SearchRule;
import io.kindred.protocol.overlay.SearchRule.Reading;
import io.kindred.world.KRegular;
import io.kindred.world.World;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SearchTest {
  private static final int PEERS = 40;
  private static final int WANTED = 5;

  /** Everybody asks once. */
  private static final class Once implements Trial.Questions {
    private final int wanted;
    private final SearchRule rule;
    private final SortedMap<PeerId, Searched> answers = new TreeMap<>();

    Once(int wanted, SearchRule rule) {
      this.wanted = wanted;
      this.rule = rule;
    }

    @Override
    public Optional<Asker.Ask> next(PeerId peer, long tick) {
      return answers.containsKey(peer)
          ? Optional.empty()
          : Optional.of(new Asker.Ask(0, wanted, rule, 1 + 1000 * peer.number()));
    }

    @Override
    public void answered(PeerId peer, Searched answer) {
      answers.put(peer, answer);
    }
  }

  private static SortedMap<PeerId, Searched> ask(SearchRule rule, long seed) {
    return ask(WANTED, rule, seed);
  }

  private static SortedMap<PeerId, Searched> ask(int wanted, SearchRule rule, long seed) {
    Once once = new Once(wanted, rule);
    World world = Small.world(PEERS, new KRegular(4), seed);
    Trial trial =
        Small.trial(
            world, Small.settings(6, OverlaySettings.RootSet.TREE), once, new CheapProofs());
    trial.run();
    assertThat(trial.structure().faults()).isEmpty();
    assertThat(once.answers).hasSize(PEERS);
    assertThat(trial.simulation().counts()).doesNotContainKey("overlay-unanswered");
    return once.answers;
  }

  /** Who wants everybody gets everybody: nothing is lost on the way. */
  @ParameterizedTest
  @EnumSource(Reading.class)
  void whoWantsEverybodyIsToldOfEverybody(Reading reading) {
    Population population = Small.population(PEERS, 2);
    ask(PEERS - 1, new SearchRule(4096, reading, 100_000), 2)
        .forEach(
            (peer, answer) ->
                assertThat(answer.candidates().stream().map(each -> each.peer()).toList())
                    .containsExactlyInAnyOrderElementsOf(
                        population.nearest((int) peer.number(), PEERS - 1).stream()
                            .map(each -> each.peer())
                            .toList()));
  }

  @ParameterizedTest
  @EnumSource(Reading.class)
  void candidatesAreDistinctSortedAndNeverTheAsker(Reading reading) {
    Population population = Small.population(PEERS, 1);
    ask(new SearchRule(2, reading, 0), 1)
        .forEach(
            (peer, answer) -> {
              List<PeerId> found = answer.candidates().stream().map(each -> each.peer()).toList();
              assertThat(found).doesNotHaveDuplicates().doesNotContain(peer);
              assertThat(answer.candidates())
                  .isSortedAccordingTo((a, b) -> Float.compare(b.similarity(), a.similarity()));
              for (var each : answer.candidates()) {
                double exact =
                    population
                        .signatures()
                        .get((int) peer.number())
                        .cosine(population.signatures().get((int) each.peer().number()));
                assertThat((double) each.similarity()).isEqualTo(exact, Offset.offset(1e-6));
              }
            });
  }

  @Test
  void aWiderBeamVisitsMore() {
    double narrow = visited(new SearchRule(1, Reading.LEVEL, 0));
    double wide = visited(new SearchRule(4, Reading.LEVEL, 0));
    assertThat(wide).isGreaterThan(narrow);
  }

  private static double visited(SearchRule rule) {
    return ask(rule, 3).values().stream()
        .mapToInt(each -> each.tally().visited())
        .average()
        .orElse(0);
  }

  @Test
  void theVisitBudgetIsKept() {
    ask(new SearchRule(8, Reading.LEVEL, 4), 1)
        .values()
        .forEach(each -> assertThat(each.tally().visited()).isLessThanOrEqualTo(4));
  }
}
