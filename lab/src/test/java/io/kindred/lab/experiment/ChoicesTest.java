package io.kindred.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.settings.Catalogue;
import io.kindred.files.config.ConfigFile;
import java.util.ArrayList;
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
                List.of(Experiment.keyOf(catalogue) + "=" + name))
            .experiment();
    assertThat(at(experiment, Experiment.keyOf(catalogue))).isInstanceOf(choice);
    assertThat(Catalogue.summaryOf(choice)).isNotBlank().doesNotEndWith(".");
  }

  private static Object at(Object section, String path) throws ReflectiveOperationException {
    Object value = section;
    for (String key : path.split("\\.", -1)) {
      value = value.getClass().getMethod(key).invoke(value);
    }
    return value;
  }
}
