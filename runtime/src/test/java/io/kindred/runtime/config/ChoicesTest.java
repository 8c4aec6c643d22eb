package io.kindred.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.config.Catalogue;
import io.kindred.storage.config.ConfigException;
import io.kindred.storage.config.ConfigFile;
import io.kindred.storage.config.SchemaDoc;
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
    String key = Experiment.keyOf(catalogue);
    ExperimentFile file =
        ExperimentFile.of(
            ConfigFile.parse("file.yaml", around(key)),
            Optional.empty(),
            List.of(key + "=" + Catalogue.nameOf(choice)));
    assertThat(Catalogue.summaryOf(choice)).isNotBlank().doesNotEndWith(".");
    Optional<String> required = required(catalogue, choice);
    if (required.isPresent()) {
      assertThatThrownBy(file::experiment)
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("'" + key + "." + required.get() + "' is missing");
    } else {
      Object value = at(file.experiment(), key);
      assertThat(value instanceof Optional<?> given ? given.orElseThrow() : value)
          .isInstanceOf(choice);
    }
  }

  /** Settings of a method or of links need a method or links that have them; losses, samples. */
  private static String around(String key) {
    return "method: "
        + (key.startsWith("method.") ? "semantic-dfl" : "local")
        + (key.startsWith("network.links.") ? "\nnetwork: {links: radio}\n" : "\n")
        + (key.equals("robust") ? "evaluation: {validation: 0.1}\n" : "");
  }

  /**
   * The first setting that has no default, such as a user's own folder. Required keys of list items
   * do not make the list itself required.
   */
  private static Optional<String> required(Catalogue<?> catalogue, Class<?> choice) {
    return new SchemaDoc(Experiment.CATALOGUES)
        .choices(catalogue).stream()
            .filter(each -> each.name().equals(Catalogue.nameOf(choice)))
            .flatMap(each -> each.settings().stream())
            .filter(SchemaDoc.Row::required)
            .map(SchemaDoc.Row::path)
            // Keys of list items are required only where there is an item.
            .filter(path -> !path.contains("["))
            .findFirst();
  }

  private static Object at(Object section, String path) throws ReflectiveOperationException {
    Object value = section;
    for (String key : path.split("\\.", -1)) {
      value = value.getClass().getMethod(key).invoke(value);
    }
    return value;
  }
}
