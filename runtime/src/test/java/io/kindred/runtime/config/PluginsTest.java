package io.kindred.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.config.Catalogue;
import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.model.Architecture;
import io.kindred.learning.model.ArchitectureBuilder;
import io.kindred.learning.model.Mlp;
import io.kindred.learning.model.Model;
import io.kindred.learning.model.Models;
import io.kindred.storage.OperatorException;
import io.kindred.storage.config.Binder;
import io.kindred.storage.config.ConfigException;
import io.kindred.storage.config.ConfigFile;
import io.kindred.storage.config.ConfigNode.Mapping;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PluginsTest {
  @TempDir private Path folder;

  /** A user's model. */
  @Named(value = "wide-net", summary = "one wide dense layer")
  public record WideNet(
      @Setting(doc = "units of the dense layer", fallback = "256", min = 1) int units)
      implements Model {
    public WideNet() {
      this(256);
    }

    @Override
    public Architecture sizedFor(Dataset dataset) {
      return ArchitectureBuilder.forFeatures("wide-net", dataset)
          .dense("fc1", units)
          .relu()
          .buildWithOutput("fc2");
    }
  }

  /** Uses the name of a built-in model. */
  @Named("mlp")
  public record SecondMlp() implements Model {
    @Override
    public Architecture sizedFor(Dataset dataset) {
      return new Mlp(List.of()).sizedFor(dataset);
    }
  }

  /** Lacks the constructor that the service loader wants. */
  @Named("closed-net")
  public record ClosedNet(@Setting(doc = "nothing", fallback = "1") int units) implements Model {
    @Override
    public Architecture sizedFor(Dataset dataset) {
      return new Mlp(List.of(units)).sizedFor(dataset);
    }
  }

  /**
   * A jar that declares the model as a service; its class is found beside this test. Each jar has a
   * name of its own, because an open jar must not be written over.
   */
  private String jar(String announced) throws IOException {
    Path jar = folder.resolve(announced + ".jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new JarEntry("META-INF/services/" + Model.class.getName()));
      out.write(announced.getBytes(StandardCharsets.UTF_8));
      out.closeEntry();
    }
    return jar.toString();
  }

  private static Experiment bind(Catalogue<Model> models, String model) {
    List<Catalogue<?>> catalogues = new ArrayList<>();
    for (Catalogue<?> catalogue : Experiment.CATALOGUES) {
      catalogues.add(catalogue.kind() == Model.class ? models : catalogue);
    }
    Mapping tree = ConfigFile.parse("test.yaml", "{method: local, model: " + model + "}");
    return new Binder(catalogues).bind(Experiment.class, tree);
  }

  @Test
  void withoutPluginsThereAreTheBuiltInModels() {
    assertThat(Plugins.modelsOf("").names()).isEqualTo(Models.ALL.names());
  }

  @Test
  void aModelFromAJarIsChosenByNameInAnExperimentFile() throws IOException {
    Catalogue<Model> models = Plugins.modelsOf(jar(WideNet.class.getName()));
    assertThat(models.names()).containsAll(Models.ALL.names()).endsWith("wide-net");
    assertThat(bind(models, "{name: wide-net, units: 12}").model()).isEqualTo(new WideNet(12));
    assertThat(bind(models, "wide-net").model()).isEqualTo(new WideNet(256));
    assertThatThrownBy(() -> bind(models, "{name: wide-net, units: 0}"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("model.units");
  }

  @Test
  void aPlaceThatIsNotThereIsNamed() {
    String places = folder.resolve("gone.jar") + File.pathSeparator + folder;
    assertThatThrownBy(() -> Plugins.modelsOf(places))
        .isInstanceOfSatisfying(
            OperatorException.class,
            mistake ->
                assertThat(mistake.line())
                    .contains("KINDRED_PLUGINS", "gone.jar", "does not exist"));
  }

  @Test
  void whatCannotBeUsedIsSaidInOneLine() throws IOException {
    for (String announced :
        List.of(
            SecondMlp.class.getName(),
            ClosedNet.class.getName(),
            "org.example.Missing",
            PluginsTest.class.getName())) {
      String jar = jar(announced);
      assertThatThrownBy(() -> Plugins.modelsOf(jar))
          .as(announced)
          .isInstanceOfSatisfying(
              OperatorException.class,
              mistake -> {
                assertThat(mistake.exitCode()).isEqualTo(OperatorException.WRONG_USE);
                assertThat(mistake.line()).contains("model plugin", "add-a-model.md");
              });
    }
  }
}
