package io.kindred.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.settings.Catalogue;
import io.kindred.files.config.ConfigFile;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ChoicesTest {
  static List<Arguments> choices() {
    List<Arguments> all = new ArrayList<>();
    for (Catalogue<?> catalogue : Experiment.CATALOGUES) {
      for (Class<?> choice : catalogue.choices()) {
        all.add(Arguments.of(catalogue, choice));
      }
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("choices")
  void everyChoiceBindsWithItsDefaults(Catalogue<?> catalogue, Class<?> choice)
      throws ReflectiveOperationException {
    String name = Catalogue.nameOf(choice);
    Experiment experiment =
        ExperimentFile.of(
                ConfigFile.parse("file.yaml", "method: local\n"),
                Optional.empty(),
                List.of(key(catalogue).getName() + "=" + name))
            .experiment();
    assertThat(key(catalogue).getAccessor().invoke(experiment)).isInstanceOf(choice);
    assertThat(Catalogue.summaryOf(choice)).isNotBlank().doesNotEndWith(".");
  }

  /** The one key of an experiment that this catalogue fills. */
  private static RecordComponent key(Catalogue<?> catalogue) {
    return Arrays.stream(Experiment.class.getRecordComponents())
        .filter(component -> component.getType() == catalogue.kind())
        .findFirst()
        .orElseThrow();
  }
}
