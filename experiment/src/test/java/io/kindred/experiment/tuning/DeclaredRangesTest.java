package io.kindred.experiment.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.experiment.tuning.SearchSpace.TunedKey;
import io.kindred.methods.catalogue.Methods;
import io.kindred.runtime.SmallExperiment;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.storage.config.ConfigNode.Mapping;
import io.kindred.storage.config.SchemaDoc;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DeclaredRangesTest {
  /**
   * Methods whose numbers are the number of clusters, which states the task, or limits of time and
   * participation, which state the cost.
   */
  private static final List<String> NOTHING_OF_THEIR_OWN = List.of("dfca", "ifca", "fedem");

  static Stream<String> methods() {
    return Methods.ALL.names().stream();
  }

  private static SearchSpace space(String method) {
    return SearchSpace.of(method, resolved(method), List.of());
  }

  private static Mapping resolved(String method) {
    return ExperimentFile.resolvedTree(experiment(method));
  }

  private static Experiment experiment(String method, String... settings) {
    List<String> all = Stream.concat(Stream.of("method=" + method), Stream.of(settings)).toList();
    return SmallExperiment.parse(
        SmallExperiment.FILE.replace("peers: 4", "peers: 20"), all.toArray(String[]::new));
  }

  @ParameterizedTest
  @MethodSource("methods")
  void everyMethodWithNumbersDeclaresARangeOrIsListed(String method) {
    boolean numbers =
        new SchemaDoc(Experiment.CATALOGUES)
            .choices(Methods.ALL).stream()
                .filter(choice -> choice.name().equals(method))
                .flatMap(choice -> choice.settings().stream())
                .anyMatch(SchemaDoc.Row::isNumber);
    List<String> own =
        space(method).keys().stream()
            .map(TunedKey::path)
            .filter(path -> path.startsWith("method."))
            .toList();
    if (!numbers || NOTHING_OF_THEIR_OWN.contains(method)) {
      assertThat(own).isEmpty();
    } else {
      assertThat(own).as("add tune = \"...\" to a @Setting of " + method).isNotEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("methods")
  void theLearningRateIsTunedForEveryMethodAndFirst(String method) {
    TunedKey first = space(method).keys().getFirst();
    assertThat(first.path()).isEqualTo("training.learningRate");
    assertThat(first.range().levels(2, false)).containsExactly("0.015", "0.15");
  }

  @ParameterizedTest
  @MethodSource("methods")
  void theNumberOfClustersIsLeftAsItIs(String method) {
    assertThat(space(method).keys())
        .noneMatch(key -> key.path().matches("method\\.(clusters.*|components)"));
  }

  @ParameterizedTest
  @MethodSource("methods")
  void everyRangeHoldsTheDefaultAndOnlyValuesThatAnExperimentAccepts(String method) {
    RandomStream random = new RandomStreams(3).stream(Purpose.TUNING, 0, 0);
    for (TunedKey key : space(method).keys()) {
      double usual =
          Double.parseDouble(
              SearchSpace.currentValue(resolved(method), key.path()).orElseThrow().text());
      List<String> ends = key.range().levels(2, key.whole());
      assertThat(usual)
          .as(key.path())
          .isBetween(Double.valueOf(ends.getFirst()), Double.valueOf(ends.getLast()));
    }
    // Together, because one setting can bound another.
    accepted(method, key -> key.range().levels(2, key.whole()).getFirst());
    accepted(method, key -> key.range().levels(2, key.whole()).getLast());
    for (int i = 0; i < 20; i++) {
      accepted(method, key -> key.range().draw(random, key.whole()));
    }
  }

  private static void accepted(String method, Function<TunedKey, String> value) {
    experiment(
        method,
        space(method).keys().stream()
            .map(key -> key.path() + "=" + value.apply(key))
            .toArray(String[]::new));
  }
}
