package io.kindred.storage.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.storage.config.ConfigNode.Mapping;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OverridesTest {
  private static Mapping tree(String text) {
    return ConfigFile.parse("run.yaml", text);
  }

  private static Mapping set(String base, String... assignments) {
    return Overrides.apply(tree(base), Arrays.asList(assignments));
  }

  @Test
  void replacesValuesAndMakesSections() {
    assertThat(set("rounds: 1\nseeds: [1]\n", "rounds=2", "training.optimizer.momentum=.9"))
        .isEqualTo(tree("{rounds: 2, seeds: [1], training: {optimizer: {momentum: .9}}}"));
    assertThat(set("seeds: [1]\n", "seeds=[2, 3]", "limits={a: 1}"))
        .isEqualTo(tree("{seeds: [2, 3], limits: {a: 1}}"));
    assertThat(set("target: 0.9\n", "target=null")).isEqualTo(tree("target: null"));
    assertThat(set("title: a\n", "title=x=y")).isEqualTo(tree("title: x=y"));
    assertThat(set("rounds: 1\n", "rounds=2", "rounds=3")).isEqualTo(tree("rounds: 3"));
  }

  @Test
  void promotesScalarChoiceToMapping() {
    assertThat(set("partition: dirichlet\n", "partition.alpha=0.1"))
        .isEqualTo(tree("partition: {name: dirichlet, alpha: 0.1}"));
  }

  @Test
  void givesChoiceAndItsSettingsInEitherOrder() {
    Mapping wanted = tree("partition: {name: dirichlet, alpha: 0.1}");
    assertThat(set("partition: iid\n", "partition=dirichlet", "partition.alpha=0.1"))
        .isEqualTo(wanted);
    assertThat(set("partition: iid\n", "partition.alpha=0.1", "partition=dirichlet"))
        .isEqualTo(wanted);
    assertThat(set("partition: iid\n", "partition.name=dirichlet", "partition.alpha=0.1"))
        .isEqualTo(wanted);
  }

  @Test
  void dropsSettingsOfAnotherChoiceButKeepsThoseOfTheSame() {
    String base = "partition: {name: dirichlet, alpha: 0.1}\n";
    assertThat(set(base, "partition=iid")).isEqualTo(tree("partition: iid"));
    assertThat(set(base, "partition.name=iid")).isEqualTo(tree("partition: {name: iid}"));
    assertThat(set(base, "partition=dirichlet")).isEqualTo(tree(base));
  }

  @Test
  void namesTheMalformedAssignment() {
    String form = ": must have the form key=value, such as --set training.batch=32";
    for (String bad : List.of("rounds", "=3", "a..b=3", ".a=3", "a b =3")) {
      assertThatThrownBy(() -> set("a: 1\n", bad)).hasMessage("--set " + bad + form);
    }
    assertThatThrownBy(() -> set("a: 1\n", "a="))
        .hasMessage("--set a=: has no value after '='; use null to unset a key");
    assertThatThrownBy(() -> set("a: 1\n", "a=[1"))
        .hasMessage(
            "--set a=[1: is not valid YAML: while parsing a flow sequence, expected ',' or ']',"
                + " but got <stream end>");
    assertThatThrownBy(() -> set("a: [1]\n", "a.b=1"))
        .hasMessage(
            "--set a.b=1: 'b' is set inside a list (run.yaml:1); give the whole list instead");
  }

  @Test
  void blamesTheAssignmentForItsMistakes() {
    Mapping wrongValue = set("rounds: 1\ntraining: {epochs: 1}\n", "training.batch=0");
    assertThatThrownBy(() -> SampleConfig.BINDER.bind(SampleConfig.Experiment.class, wrongValue))
        .hasMessage(
            "--set training.batch=0: 'training.batch' must be a whole number of at least 1, but is"
                + " '0'");
    Mapping wrongKey = set("rounds: 1\n", "trainin.batch=2");
    assertThatThrownBy(() -> SampleConfig.BINDER.bind(SampleConfig.Experiment.class, wrongKey))
        .hasMessageStartingWith(
            "--set trainin.batch=2: key 'trainin' is unknown; did you mean 'training'? (known:");
  }

  @Test
  void mergesSectionsDeeply() {
    Mapping base = tree("{rounds: 100, training: {batch: 32, epochs: 5}, partition: iid}");
    Mapping overlay =
        tree("{rounds: 2, training: {epochs: 1}, partition: {name: shards, shards: 2}}");
    assertThat(Overrides.merge(base, overlay))
        .isEqualTo(
            tree(
                "{rounds: 2, training: {batch: 32, epochs: 1},"
                    + " partition: {name: shards, shards: 2}}"));
  }

  @Test
  void keepsTheLinesOfBothSides() {
    Mapping merged =
        Overrides.merge(
            tree("a:\n  x: 1\n  y: 2\n"),
            new Mapping(tree("a:\n  x: 3\n").entries(), Origin.named("profile smoke")));
    Mapping inner = (Mapping) merged.find("a").orElseThrow();
    assertThat(inner.origin()).hasToString("run.yaml:1");
    assertThat(inner.entry("x").orElseThrow().origin()).hasToString("run.yaml:2");
    assertThat(inner.entry("y").orElseThrow().origin()).hasToString("run.yaml:3");
  }
}
