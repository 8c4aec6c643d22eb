package io.kindred.storage.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.storage.config.ConfigNode.Form;
import io.kindred.storage.config.ConfigNode.Mapping;
import io.kindred.storage.config.ConfigNode.Scalar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConfigFileTest {
  private static void refused(String text, String line) {
    assertThatThrownBy(() -> ConfigFile.parse("run.yaml", text))
        .isInstanceOf(ConfigException.class)
        .hasMessage(line);
  }

  @Test
  void keepsOrderLinesAndText() {
    Mapping root =
        ConfigFile.parse("run.yaml", "\uFEFFb: 1e-3\n\na:\n  x: 007\n  y: [true, \"5\"]\nc:\n");
    assertThat(root.keys()).containsExactly("b", "a", "c");
    assertThat(root.origin()).hasToString("run.yaml");
    assertThat(root.find("b")).contains(new Scalar("1e-3", Form.PLAIN, Origin.named("any")));
    assertThat(root.find("a").orElseThrow().origin()).hasToString("run.yaml:3");
    Mapping inner = (Mapping) root.find("a").orElseThrow();
    assertThat(inner.entry("x").orElseThrow().origin()).hasToString("run.yaml:4");
    assertThat(((Scalar) inner.find("x").orElseThrow()).text()).isEqualTo("007");
    assertThat(((Scalar) root.find("c").orElseThrow()).missing()).isTrue();
  }

  @Test
  void refusesEmptyFile() {
    refused("", "run.yaml:1: is empty");
    refused("# only a comment\n", "run.yaml:1: is empty");
    refused("---\n", "run.yaml:1: is empty");
  }

  @Test
  void refusesWhatIsNotKeysAndValues() {
    refused("- a\n", "run.yaml:1: must hold keys and values, such as 'rounds: 100'");
    refused("word\n", "run.yaml:1: must hold keys and values, such as 'rounds: 100'");
  }

  @Test
  void refusesDuplicateKey() {
    refused(
        "a: 1\nb:\n  c: 1\n  c: 2\n",
        "run.yaml:4: key 'c' is given twice, first at line 3; keep one");
  }

  @Test
  void refusesBrokenYamlWithTheLineOfTheMistake() {
    refused(
        "a: 1\nb: [1,\nc: 2\n",
        "run.yaml:2: is not valid YAML: while parsing a flow sequence, expected ',' or ']', but"
            + " got <stream end>");
    refused("a: 1\n b: 2\n", "run.yaml:2: is not valid YAML: mapping values are not allowed here");
    refused(
        "a: 1\nb\n",
        "run.yaml:2: is not valid YAML: while scanning a simple key, could not find expected ':'");
    refused(
        "a: 1\n? [1]\n: 2\n",
        "run.yaml:2: is not valid YAML: Expected a property name (Scalar value in YAML), got this"
            + " instead: +SEQ []");
  }

  @Test
  void refusesControlCharactersAndBottomlessNesting() {
    assertThatThrownBy(() -> ConfigFile.parse("run.yaml", "a: 1\nb: \u0000\n"))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("run.yaml:")
        .hasMessageContaining("is not valid YAML");
    assertThatThrownBy(() -> ConfigFile.parse("run.yaml", "a: " + "[".repeat(5000)))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("run.yaml:1: is not valid YAML");
  }

  @Test
  void refusesAliasesTagsAndSecondDocuments() {
    refused("a: &x 1\nb: *x\n", "run.yaml:2: aliases ('*') are not supported; repeat the value");
    refused("a: !thing 1\n", "run.yaml:1: tags ('!') are not supported; remove the tag");
    refused(
        "a: 1\n---\nb: 1\n",
        "run.yaml:3: a second document starts here; keep one document per file");
  }

  @Test
  void saysWhyFileCannotBeRead(@TempDir Path folder) throws IOException {
    Path missing = folder.resolve("no.yaml");
    assertThatThrownBy(() -> ConfigFile.read(missing))
        .hasMessage(missing + ": there is no such file");
    Path binary = Files.write(folder.resolve("binary.yaml"), new byte[] {(byte) 0xC3, 0x28});
    assertThatThrownBy(() -> ConfigFile.read(binary)).hasMessage(binary + ": is not UTF-8 text");
    assertThatThrownBy(() -> ConfigFile.read(folder))
        .hasMessage(folder + ": is a folder; name an experiment file");
    Path good = Files.writeString(folder.resolve("good.yaml"), "a: ü\n");
    assertThat(ConfigFile.read(good).entry("a").orElseThrow().origin()).hasToString(good + ":1");
  }
}
