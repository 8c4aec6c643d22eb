package io.kindred.studies.fuzz.planted;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The fuzzer finds every planted bug within the stated number of seeds. */
class PlantedBugsTest {
  private static final List<PlantedBugs.Planted> ALL = PlantedBugs.all();
  private static final MutantLoader CLASSES =
      new MutantLoader(ALL.stream().map(PlantedBugs.Planted::mutant).toList());

  static Stream<PlantedBugs.Planted> all() {
    return ALL.stream();
  }

  @SuppressWarnings("unchecked") // PlantedRun of the other class loader.
  private static String run(int mutant, long seed, String scenario) throws Exception {
    BiFunction<Long, String, String> run =
        (BiFunction<Long, String, String>)
            CLASSES
                .loadClass(PlantedRun.class.getName())
                .getConstructor(Integer.class)
                .newInstance(mutant);
    return run.apply(seed, scenario);
  }

  @ParameterizedTest
  @MethodSource("all")
  void aPlantedBugIsFound(PlantedBugs.Planted planted) throws Exception {
    List<String> found = new ArrayList<>();
    for (long seed = 1; seed <= planted.seeds() && found.isEmpty(); seed++) {
      String line = run(ALL.indexOf(planted), seed, planted.scenario());
      if (!line.isEmpty()) {
        found.add(seed + " " + line);
      }
    }
    for (Mutant.Place place : planted.mutant().places()) {
      assertThat(CLASSES.planted()).contains(place.className() + "#" + place.method());
    }
    assertThat(found).as("seed and line").singleElement().asString().contains(planted.checker());
  }
}
