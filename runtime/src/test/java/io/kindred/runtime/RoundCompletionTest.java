package io.kindred.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.Observation.Deployed;
import io.kindred.core.peer.Observation.Stage;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.methods.catalogue.Methods;
import io.kindred.methods.contract.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RoundCompletionTest {
  private static final int ROUNDS = 3;

  private static Deployed deployed(int round, Stage stage) {
    Layout layout = Layout.builder().add("w", 1).build();
    return Deployed.of(round, stage, Weights.wrap(layout, new float[1]));
  }

  /** The answers are: model of the round, round finished, run finished, model to keep. */
  @ParameterizedTest
  @CsvSource({
    // A peer that mixes.
    "MIXED, 2, TRAINED, no, no, no, no",
    "MIXED, 2, MIXED, yes, yes, no, no",
    "MIXED, 3, TRAINED, no, no, no, no",
    "MIXED, 3, MIXED, yes, yes, yes, yes",
    // A peer with a personal phase after its last round.
    "FINAL, 2, TRAINED, no, no, no, no",
    "FINAL, 2, MIXED, yes, yes, no, no",
    "FINAL, 3, TRAINED, no, no, no, no",
    "FINAL, 3, MIXED, yes, no, no, yes",
    "FINAL, 3, FINAL, no, yes, yes, yes",
    // A client whose server mixes for it.
    "TRAINED, 2, TRAINED, yes, yes, no, no",
    "TRAINED, 3, TRAINED, yes, yes, yes, yes",
    "TRAINED, 3, MIXED, no, yes, yes, yes",
    // A peer that caught up with the others may be beyond the last round.
    "MIXED, 4, MIXED, yes, yes, yes, yes",
  })
  void whatAModelEndsFollowsFromItsRoundAndStage(
      Stage lastStage,
      int round,
      Stage stage,
      String roundModel,
      String finishesRound,
      String finishesRun,
      String keep) {
    RoundCompletion completion = new RoundCompletion(lastStage, ROUNDS);
    Deployed deployed = deployed(round, stage);
    assertThat(
            Stream.of(
                    completion.isRoundModel(deployed),
                    completion.finishesRound(deployed),
                    completion.finishesRun(deployed),
                    completion.isModelToKeep(deployed))
                .map(answer -> answer ? "yes" : "no"))
        .containsExactly(roundModel, finishesRound, finishesRun, keep);
  }

  static List<String> methods() {
    return Methods.ALL.names();
  }

  @ParameterizedTest
  @MethodSource("methods")
  void aPeerOfEveryMethodFinishesEachRoundOnceInBothShells(String name) {
    // Enough peers for the clusters of every method.
    Method method = SmallExperiment.with("method=" + name, "peers=12").method();
    assertEachRoundFinishedOnce(
        RoundCompletion.onNode(method, ROUNDS, false), run(method.lastStage()));
    // In a simulator the server's models are every peer's, so each peer has a mixed model.
    Stage seen = method.lastStage() == Stage.FINAL ? Stage.FINAL : Stage.MIXED;
    assertEachRoundFinishedOnce(RoundCompletion.inSimulator(method, ROUNDS), run(seen));
    if (method.hasServer()) {
      List<Deployed> server =
          IntStream.rangeClosed(1, ROUNDS).mapToObj(round -> deployed(round, Stage.MIXED)).toList();
      assertEachRoundFinishedOnce(RoundCompletion.onNode(method, ROUNDS, true), server);
    }
  }

  /** What a peer deploys in all its rounds. */
  private static List<Deployed> run(Stage last) {
    List<Deployed> all = new ArrayList<>();
    for (int round = 1; round <= ROUNDS; round++) {
      all.add(deployed(round, Stage.TRAINED));
      if (last != Stage.TRAINED) {
        all.add(deployed(round, Stage.MIXED));
      }
    }
    if (last == Stage.FINAL) {
      all.add(deployed(ROUNDS, Stage.FINAL));
    }
    return all;
  }

  private static void assertEachRoundFinishedOnce(RoundCompletion completion, List<Deployed> run) {
    assertThat(run.stream().filter(completion::finishesRound))
        .extracting(Deployed::round)
        .containsExactly(1, 2, 3);
    assertThat(run.stream().filter(completion::isRoundModel))
        .extracting(Deployed::round)
        .containsExactly(1, 2, 3);
    assertThat(run.stream().filter(completion::finishesRun)).containsExactly(run.getLast());
    assertThat(run.stream().filter(completion::isModelToKeep).reduce((_, next) -> next))
        .contains(run.getLast());
  }
}
