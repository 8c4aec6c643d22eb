package io.kindred.storage.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.config.Catalogue;
import io.kindred.core.config.PowerUnit;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.storage.config.SampleConfig.Experiment;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class BinderTest {
  private static void refused(String text, String line) {
    assertThatThrownBy(() -> SampleConfig.bind(text))
        .isInstanceOfSatisfying(
            ConfigException.class,
            refusal -> {
              assertThat(refusal.line()).isEqualTo(line);
              assertThat(refusal.exitCode()).isEqualTo(2);
            });
  }

  record Radio(
      @Setting(doc = "power", min = 1e-9, max = 1000, unit = PowerUnit.WATTS) double powerWatts,
      @Setting(doc = "threshold", fallback = "10", above = 0, unit = PowerUnit.RATIO)
          double threshold,
      @Setting(doc = "distance", fallback = "1") double metres) {}

  private static Radio radio(String text) {
    return SampleConfig.BINDER.bind(Radio.class, ConfigFile.parse("run.yaml", text));
  }

  @Test
  void readsPowersAndRatiosInDecibels() {
    assertThat(radio("powerWatts: 23 dBm\nthreshold: 10 dB\n").powerWatts())
        .isCloseTo(0.199526, within(1e-6));
    assertThat(radio("powerWatts: -30dBm\n").powerWatts()).isCloseTo(1e-6, within(1e-18));
    assertThat(radio("powerWatts: 1\nthreshold: 13 dB\n").threshold())
        .isCloseTo(19.952623, within(1e-6));
    assertThat(radio("powerWatts: 1\nthreshold: 10\n").threshold()).isEqualTo(10);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "powerWatts: 1e308",
        "powerWatts: 99 dBm",
        "powerWatts: 10 dB",
        "powerWatts: dBm",
        "powerWatts: 1\nmetres: 3 dB",
        "powerWatts: 1\nthreshold: 9999 dB"
      })
  void refusesAbsurdPowersAndUnitsThatAKeyDoesNotHave(String text) {
    assertThatThrownBy(() -> radio(text + "\n"))
        .isInstanceOfSatisfying(
            ConfigException.class,
            refusal ->
                assertThat(refusal.line()).contains("must be a number").doesNotContain("\n"));
  }

  @Test
  void leavesWhatIsNotWrittenToDefaults() {
    Experiment bound = SampleConfig.bind("rounds: 5\n");
    assertThat(bound.rounds()).isEqualTo(5);
    assertThat(bound.peers()).isEqualTo(10);
    assertThat(bound.title()).isEqualTo("no title");
    assertThat(bound.engine()).isEqualTo(SampleConfig.Engine.LOCAL);
    assertThat(bound.training())
        .isEqualTo(new SampleConfig.Training(32, 1, new SampleConfig.Optimizer(0.05, 0, 0)));
    assertThat(bound.partition()).isEqualTo(new SampleConfig.Dirichlet(0.5));
    assertThat(bound.seeds()).isEmpty();
    assertThat(bound.target()).isEmpty();
    assertThat(bound.second()).contains(new SampleConfig.Iid());
  }

  @Test
  void takesAChoiceWithoutItsNameAsSettingsOfTheDefault() {
    assertThat(SampleConfig.bind("rounds: 1\npartition: {alpha: 2}\n").partition())
        .isEqualTo(new SampleConfig.Dirichlet(2));
    refused(
        "rounds: 1\npartition: {shards: 2}\n",
        "run.yaml:2: key 'partition.shards' is unknown for 'dirichlet'; it is a setting of 'shards'"
            + " (known: alpha)");
  }

  @Test
  void bindsEveryShapeThatIsWritten() {
    Experiment bound =
        SampleConfig.bind(
            """
            rounds: 007
            seed: -9223372036854775808
            away: 1e-3
            verbose: true
            title: 12
            engine: spark-cluster
            training:
              epochs: 3
              optimizer: {learningRate: .5}
            partition: iid
            seeds: [1, 2]
            links:
              - to: b
                splits: [iid, {name: shards, shards: 2}]
            sweep: {training.batch: [1, 2], peers: 3}
            limits: {b: 2, a: 1}
            target: 0.9
            second: null
            """);
    assertThat(bound.rounds()).isEqualTo(7);
    assertThat(bound.seed()).isEqualTo(Long.MIN_VALUE);
    assertThat(bound.away()).isEqualTo(0.001);
    assertThat(bound.verbose()).isTrue();
    assertThat(bound.title()).isEqualTo("12");
    assertThat(bound.engine()).isEqualTo(SampleConfig.Engine.SPARK_CLUSTER);
    assertThat(bound.training().optimizer().learningRate()).isEqualTo(0.5);
    assertThat(bound.partition()).isEqualTo(new SampleConfig.Iid());
    assertThat(bound.seeds()).containsExactly(1L, 2L);
    assertThat(bound.links())
        .containsExactly(
            new SampleConfig.Link(
                "a", "b", List.of(new SampleConfig.Iid(), new SampleConfig.Shards(2, 10))));
    assertThat(bound.sweep().keySet()).containsExactly("peers", "training.batch");
    assertThat(bound.limits().firstKey()).isEqualTo("a");
    assertThat(bound.target()).isEqualTo(Optional.of(0.9));
    assertThat(bound.second()).isEmpty();
  }

  @Test
  void takesSectionWithoutKeysAsAllDefaults() {
    refused(
        "rounds: 1\ntraining:\n",
        "run.yaml:2: 'training.epochs' is missing: passes over the local samples"
            + " (a whole number from 1 to 1000)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "rounds: many | 'rounds' must be a whole number of at least 1, but is 'many'",
        "rounds: 0 | 'rounds' must be a whole number of at least 1, but is '0'",
        "rounds: 1.5 | 'rounds' must be a whole number of at least 1, but is '1.5'",
        "rounds: [1] | 'rounds' must be a whole number of at least 1, but is a list",
        "rounds: {a: 1} | 'rounds' must be a whole number of at least 1, but is a section",
        "rounds: 9999999999 | 'rounds' must be a whole number of at least 1, but is '9999999999',"
            + " which is too large",
        "rounds: | 'rounds' has no value; it must be a whole number of at least 1",
        "peers: 100001 | 'peers' must be a whole number from 1 to 100000, but is '100001'",
        "seed: abc | 'seed' must be a whole number, but is 'abc'",
        "away: .nan | 'away' must be a number from 0 to 1, but is '.nan'",
        "away: NaN | 'away' must be a number from 0 to 1, but is 'NaN'",
        "away: Infinity | 'away' must be a number from 0 to 1, but is 'Infinity'",
        "away: 1d | 'away' must be a number from 0 to 1, but is '1d'",
        "away: 1e999 | 'away' must be a number from 0 to 1, but is '1e999', which is too large",
        "away: 1.5 | 'away' must be a number from 0 to 1, but is '1.5'",
        "verbose: yes | 'verbose' must be true or false, but is 'yes'",
        "title: [a] | 'title' must be text, but is a list",
        "engine: spark | 'engine' must be one of local, spark-cluster, but is 'spark'; did you"
            + " mean 'spark-cluster'?",
        "training: 5 | 'training' must be a section of keys, but is '5'",
        "seeds: 5 | 'seeds' must be a list, each item a whole number of at least 0, but is '5'",
        "seeds: [1, -2] | 'seeds[1]' must be a whole number of at least 0, but is '-2'",
        "limits: {a: -1} | 'limits.a' must be a number of at least 0, but is '-1'",
        "target: 2 | 'target' must be a number from 0 to 1, but is '2'",
        "partition: {name: dirichlet, alpha: 0} | 'partition.alpha' must be a number above 0 and"
            + " at most 100, but is '0'",
        "partition: [iid] | 'partition' must be a partition: one of iid, dirichlet, shards, but"
            + " is a list",
        "partition: dirichlt | 'partition' names the unknown partition 'dirichlt'; did you mean"
            + " 'dirichlet'? (known: iid, dirichlet, shards)",
        "partition: {name: zipf} | 'partition' names the unknown partition 'zipf' (known: iid,"
            + " dirichlet, shards)",
        "links: [{to: b, splits: [{alpha: 1}]}] | 'links[0].splits[0]' needs a 'name': one of iid,"
            + " dirichlet, shards",
        "partition: {name: shards} | 'partition.shards' is missing: shards per peer (a whole"
            + " number of at least 1)",
        "partition: {name: shards, shards: 11} | 'partition.shards': 11 shards of 10 classes;"
            + " lower it",
        "links: [{to: a}] | 'links[0]': a link must not lead back to a",
      })
  void saysWhatValueIsWrongAndWhere(String line, String problem) {
    String before = line.startsWith("rounds") ? "# a comment\n" : "rounds: 1\n";
    refused(before + line + "\n", "run.yaml:2: " + problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "training: {batchsize: 5} | key 'training.batchsize' is unknown; did you mean"
            + " 'training.batch'? (known: batch, epochs, optimizer)",
        "training: {learningRate: 5} | key 'training.learningRate' is unknown; it belongs under"
            + " 'training.optimizer' (known: batch, epochs, optimizer)",
        "training: {epochs: 1, optimizer: {learning-rate: 5}} | key 'training.optimizer.learning-rate' is"
            + " unknown; did you mean 'training.optimizer.learningRate'? (known: learningRate,"
            + " momentum, weightDecay)",
        "training: {rounds: 5} | key 'training.rounds' is unknown; it belongs at the top level"
            + " (known: batch, epochs, optimizer)",
        "training: {weight_decay: 5} | key 'training.weight_decay' is unknown; did you mean"
            + " 'training.optimizer.weightDecay'? (known: batch, epochs, optimizer)",
        "training: {eopchs: 5} | key 'training.eopchs' is unknown; did you mean"
            + " 'training.epochs'? (known: batch, epochs, optimizer)",
        "training: {zebra: 5} | key 'training.zebra' is unknown (known: batch, epochs,"
            + " optimizer)",
        "training: {alpha: 5} | key 'training.alpha' is unknown; it belongs under 'partition' of"
            + " 'dirichlet' (known: batch, epochs, optimizer)",
        "links: [{to: b, splits: [{name: iid, alpha: 1}]}] | key 'links[0].splits[0].alpha' is"
            + " unknown for 'iid'; it is a setting of 'dirichlet' (there are no keys here)",
        "partition: {name: iid, alpha: 1} | key 'partition.alpha' is unknown for 'iid'; it is a"
            + " setting of 'dirichlet' (there are no keys here)",
      })
  void saysWhatAnUnknownKeyProbablyMeant(String line, String problem) {
    refused("rounds: 1\n" + line + "\n", "run.yaml:2: " + problem);
  }

  @Test
  void saysWhatMissingKeyMeans() {
    refused(
        "peers: 3\n",
        "run.yaml: 'rounds' is missing: rounds to run (a whole number of at least 1)");
  }

  @Test
  void shortensLongValues() {
    refused(
        "rounds: " + "x".repeat(100) + "\n",
        "run.yaml:1: 'rounds' must be a whole number of at least 1, but is '"
            + "x".repeat(60)
            + "...'");
  }

  @Test
  void placesComplaintAboutDefaultAtNearestSection() {
    String start = "peers: 60000\nrounds: 60000\n";
    String problem = "'training.batch': is too much work; use fewer peers";
    refused(start, "run.yaml: " + problem);
    refused(start + "training:\n  epochs: 1\n", "run.yaml:3: " + problem);
    refused(start + "training:\n  epochs: 1\n  batch: 2\n", "run.yaml:5: " + problem);
  }

  @Test
  void placesLaterComplaintByItsPath() {
    ConfigNode root =
        ConfigFile.parse(
            "run.yaml", "partition: iid\nsweep:\n  a.b: 1\n  a: 2\nseeds:\n  - 4\n  - 5\n");
    assertThat(
            ConfigException.at(root, new SettingException("partition.alpha", "is odd", "fix it")))
        .hasMessage("run.yaml:1: 'partition.alpha': is odd; fix it");
    assertThat(ConfigException.at(root, new SettingException("sweep.a.b", "is odd", "fix it")))
        .hasMessage("run.yaml:3: 'sweep.a.b': is odd; fix it");
    assertThat(ConfigException.at(root, new SettingException("seeds[1]", "is odd", "")))
        .hasMessage("run.yaml:7: 'seeds[1]': is odd");
    assertThat(ConfigException.at(root, new SettingException("seeds[9]", "is odd", "fix it")))
        .hasMessage("run.yaml:5: 'seeds[9]': is odd; fix it");
    assertThat(ConfigException.at(root, new SettingException("peers", "is odd", "fix\nit")))
        .hasMessage("run.yaml: 'peers': is odd; fix it");
  }

  record Bare(int rounds) {}

  record Odd(@Setting(doc = "odd") Thread thread) {}

  @Test
  void callsUnreadableRecordOurBug() {
    ConfigNode.Mapping root = ConfigFile.parse("run.yaml", "{}");
    Binder binder = new Binder(List.of());
    assertThatThrownBy(() -> binder.bind(Bare.class, root))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("rounds lacks @Setting");
    assertThatThrownBy(() -> binder.bind(Odd.class, root))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nor the kind of a catalogue");
  }

  @ParameterizedTest
  @ValueSource(strings = {"iid", "dirichlet", "shards"})
  void listsEveryChoiceWithItsSettings(String name) {
    SchemaDoc.Choice choice =
        new SchemaDoc(SampleConfig.CATALOGUES)
            .choices(SampleConfig.SPLITS).stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    assertThat(choice.summary())
        .isEqualTo(Catalogue.summaryOf(SampleConfig.SPLITS.find(name).orElseThrow()));
    assertThat(choice.settings())
        .hasSize(SampleConfig.SPLITS.find(name).orElseThrow().getRecordComponents().length);
  }

  @Test
  void listsKeysWithTypeDefaultAndBounds() {
    List<SchemaDoc.Row> rows = new SchemaDoc(SampleConfig.CATALOGUES).rows(Experiment.class);
    assertThat(rows)
        .contains(
            new SchemaDoc.Row(
                "rounds", "whole number", "", "of at least 1", "rounds to run", true, ""),
            new SchemaDoc.Row(
                "training.optimizer.learningRate",
                "number",
                "0.05",
                "above 0",
                "step size",
                false,
                ""),
            new SchemaDoc.Row("target", "optional number", "", "from 0 to 1", "stop at", false, ""),
            new SchemaDoc.Row("links[].to", "text", "", "", "to", true, ""),
            new SchemaDoc.Row(
                "partition",
                "partition",
                "{name: dirichlet, alpha: 0.5}",
                "",
                "who holds what",
                false,
                ""));
  }
}
