package io.kindred.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.learning.partition.Dirichlet;
import io.kindred.learning.partition.Iid;
import io.kindred.methods.averaging.FedAvg;
import io.kindred.methods.baseline.Local;
import io.kindred.methods.contract.TimeoutPolicy;
import io.kindred.methods.contract.Training;
import io.kindred.methods.rounds.RoundSettings;
import io.kindred.storage.config.ConfigException;
import io.kindred.storage.config.ConfigFile;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExperimentFileTest {
  private static ExperimentFile parse(String text, String... assignments) {
    return ExperimentFile.of(
        ConfigFile.parse("file.yaml", text), Optional.empty(), List.of(assignments));
  }

  private static ExperimentFile withProfile(String name, String text, String... assignments) {
    return ExperimentFile.of(
        ConfigFile.parse("file.yaml", text), Optional.of(name), List.of(assignments));
  }

  @Test
  void aFileWithoutSweepOrSeedsIsOneRun() {
    ExperimentFile file = parse("method: local\nprofiles: {smoke: {rounds: 1}}\n");
    assertThat(file.isGrid()).isFalse();
    assertThat(file.cells()).containsExactly(new GridCell(List.of(), file.experiment()));
    assertThat(file.cells().getFirst().label()).isEqualTo("run");
    assertThat(file.experiment().method()).isEqualTo(new Local());
  }

  @Test
  void aProfileLiesOverTheFileAndAssignmentsOverBoth() {
    String text =
        """
        method: {name: fedavg, participants: 3, fineTune: 1}
        rounds: 9
        peers: 8
        profiles:
          smoke: {rounds: 2, method: {participants: 2}}
        """;
    Experiment smoke = withProfile("smoke", text, "peers=4").experiment();
    assertThat(smoke.rounds()).isEqualTo(2);
    assertThat(smoke.peers()).isEqualTo(4);
    assertThat(smoke.method())
        .isEqualTo(new FedAvg(1, new RoundSettings(TimeoutPolicy.of(600), 2, 0)));
    assertThat(parse(text).experiment().rounds()).isEqualTo(9);
  }

  @Test
  void anUnknownProfileIsAnsweredWithTheNearest() {
    String text = "method: local\nprofiles: {smoke: {}, laptop: {}}\n";
    assertThatThrownBy(() -> withProfile("smokey", text))
        .isInstanceOf(ConfigException.class)
        .hasMessage("file.yaml:2: there is no profile 'smokey'; did you mean 'smoke'?");
    assertThatThrownBy(() -> withProfile("x", text))
        .hasMessage("file.yaml:2: there is no profile 'x'; known: smoke, laptop");
    assertThatThrownBy(() -> withProfile("smoke", "method: local\n"))
        .hasMessage("file.yaml: there is no profile 'smoke'; the file has no 'profiles'");
    assertThatThrownBy(() -> withProfile("a", "profiles: {a: 3}\n"))
        .hasMessage("file.yaml:1: profile 'a' must be a section of keys");
    assertThatThrownBy(() -> withProfile("a", "profiles: 3\n"))
        .hasMessage("file.yaml:1: 'profiles' must be a section of keys");
  }

  @Test
  void aKeyThatIsSetByHandIsNoLongerSwept() {
    String text =
        """
        method: local
        sweep: {method: [local, fedavg], peers: [2, 3]}
        table: {rows: method, columns: peers}
        """;
    ExperimentFile one = parse(text, "method=fedavg");
    assertThat(one.cells()).extracting(GridCell::label).containsExactly("peers=2", "peers=3");
    assertThat(one.cells().getFirst().experiment().method()).isInstanceOf(FedAvg.class);
    ExperimentFile alone = parse(text, "method=fedavg", "peers=5");
    assertThat(alone.isGrid()).isFalse();
    assertThat(alone.table().columns()).isEmpty();
    assertThat(alone.experiment().peers()).isEqualTo(5);
  }

  @Test
  void sweptValuesMultiplyInTheOrderOfTheFile() {
    ExperimentFile file =
        parse(
            """
            method: local
            partition: dirichlet
            sweep: {peers: [2, 3], partition.alpha: [0.1, 1.0]}
            seeds: [7, 8]
            """);
    assertThat(file.isGrid()).isTrue();
    assertThat(file.cells())
        .extracting(GridCell::label)
        .containsExactly(
            "peers=2, partition.alpha=0.1, seed=7",
            "peers=2, partition.alpha=0.1, seed=8",
            "peers=2, partition.alpha=1.0, seed=7",
            "peers=2, partition.alpha=1.0, seed=8",
            "peers=3, partition.alpha=0.1, seed=7",
            "peers=3, partition.alpha=0.1, seed=8",
            "peers=3, partition.alpha=1.0, seed=7",
            "peers=3, partition.alpha=1.0, seed=8");
    Experiment last = file.cells().getLast().experiment();
    assertThat(last.peers()).isEqualTo(3);
    assertThat(last.seed()).isEqualTo(8);
    assertThat(last.partition()).isEqualTo(new Dirichlet(1.0, 10));
  }

  @Test
  void wholeChoicesAreSweptWithTheirSettings() {
    ExperimentFile file =
        parse(
            """
            method: {name: fedavg, participants: 3}
            sweep:
              method: [local, fedavg, {name: fedavg, fineTune: 2}]
              partition: [iid, {name: dirichlet, alpha: 0.2}]
            """);
    List<GridCell> cells = file.cells();
    assertThat(cells)
        .extracting(GridCell::label)
        .containsExactly(
            "local, partition=iid",
            "local, partition=dirichlet alpha=0.2",
            "fedavg, partition=iid",
            "fedavg, partition=dirichlet alpha=0.2",
            "fedavg fineTune=2, partition=iid",
            "fedavg fineTune=2, partition=dirichlet alpha=0.2");
    assertThat(cells.get(0).experiment().method()).isEqualTo(new Local());
    assertThat(cells.get(0).experiment().partition()).isEqualTo(new Iid());
    assertThat(cells.get(2).experiment().method())
        .as("the same choice keeps what the file set")
        .isEqualTo(new FedAvg(0, new RoundSettings(TimeoutPolicy.of(600), 3, 0)));
    assertThat(cells.get(5).experiment().method())
        .isEqualTo(new FedAvg(2, new RoundSettings(TimeoutPolicy.of(600), 3, 0)));
    assertThat(cells.get(5).labelOf("partition")).isEqualTo("dirichlet alpha=0.2");
    assertThat(cells.get(5).labelOf("peers")).isEmpty();
  }

  @Test
  void aSeedOfTheCommandLineTakesThePlaceOfTheSeeds() {
    ExperimentFile file = parse("method: local\nseeds: [1, 2, 3]\n", "seed=9");
    assertThat(file.isGrid()).isFalse();
    assertThat(file.experiment().seed()).isEqualTo(9);
  }

  @Test
  void aSeedOfTheCommandLineIsNoLongerSwept() {
    ExperimentFile file =
        parse(
            "method: local\nsweep: {seed: [1, 2], peers: [2, 3]}\ntable: {columns: seed}\n",
            "seed=9");
    assertThat(file.cells())
        .extracting(cell -> cell.label() + " from " + cell.experiment().seed())
        .containsExactly("peers=2 from 9", "peers=3 from 9");
    assertThat(file.table().columns()).isEmpty();
  }

  @Test
  void aSeedAndSeedsOfTheCommandLineExcludeEachOther() {
    assertThatThrownBy(() -> parse("method: local\n", "seed=9", "seeds=[1, 2]"))
        .hasMessage("'seed' and 'seeds' exclude each other; give one of them");
  }

  @Test
  void aGridHasNoRunTwice() {
    assertThatThrownBy(() -> parse("method: local\nseeds: [1, 2, 1]\n").cells())
        .isInstanceOf(ConfigException.class)
        .hasMessage("file.yaml:2: 'seed=1' and 'seed=1' are the same run; name each value once");
    assertThatThrownBy(
            () -> parse("sweep: {method: [fedavg, {name: fedavg, fineTune: 0}]}\n").cells())
        .hasMessageContaining("'fedavg' and 'fedavg fineTune=0' are the same run");
  }

  @Test
  void sweptValuesMustBeAList() {
    assertThatThrownBy(() -> parse("method: local\nseeds: 3\n").cells())
        .isInstanceOf(ConfigException.class)
        .hasMessage("file.yaml:2: 'seeds' must list the values to try, as in [1, 2, 3]");
    assertThatThrownBy(() -> parse("method: local\nsweep:\n  peers: []\n").cells())
        .hasMessage("file.yaml:3: 'peers' must list the values to try, as in [1, 2, 3]");
    assertThatThrownBy(() -> parse("method: local\nsweep: [1]\n").cells())
        .hasMessage("file.yaml:2: 'sweep' must be a section of keys");
  }

  @Test
  void aWrongSweptValueIsNamedWithItsLine() {
    assertThatThrownBy(() -> parse("method: local\nsweep:\n  peers: [2, 0]\n").cells())
        .hasMessage("file.yaml:3: 'peers' must be a whole number from 1 to 1000000, but is '0'");
    assertThatThrownBy(
            () ->
                parse("{method: local, partition: dirichlet,\n\nsweep: {partition.alhpa: [2]}}")
                    .cells())
        .hasMessageStartingWith("file.yaml:3: key 'partition.alhpa' is unknown for 'dirichlet'");
  }

  @Test
  void aChoiceThatIsLeftToItsDefaultCanBeVaried() {
    List<GridCell> cells = parse("method: local\nsweep:\n  partition.alpha: [2, 3]\n").cells();
    assertThat(cells)
        .extracting(cell -> cell.experiment().partition())
        .containsExactly(new Dirichlet(2, 10), new Dirichlet(3, 10));
  }

  @Test
  void theTableHasDefaultsAndRefusesUnknownKeys() {
    assertThat(parse("method: local\n").table())
        .isEqualTo(new TableShape("method", "", "accuracy.local.mean"));
    assertThatThrownBy(() -> parse("method: local\ntable: {row: method}\n").table())
        .hasMessage(
            "file.yaml:2: key 'row' is unknown; did you mean 'rows'? (known: rows, columns,"
                + " cell)");
  }

  @Test
  void theResolvedTextRunsAgainUnchanged() {
    Experiment experiment =
        parse("method: {name: dfedavgm, momentum: 0.25}\npeers: 7\n").experiment();
    String resolved = ExperimentFile.resolvedYaml(experiment);
    assertThat(parse(resolved).experiment()).isEqualTo(experiment);
    assertThat(ExperimentFile.resolvedYaml(parse(resolved).experiment())).isEqualTo(resolved);
  }

  @Test
  void columnsThatAreNotSweptAreRefused() {
    ExperimentFile file =
        ExperimentFile.of(
            ConfigFile.parse(
                "grid.yaml",
                "method: local\nsweep: {rounds: [1, 2]}\ntable: {rows: rounds, columns: peers}\n"),
            Optional.empty(),
            List.of());
    assertThatThrownBy(file::table)
        .hasMessage("grid.yaml:3: 'table.columns': 'peers' is not swept; choose one of rounds");
  }

  private static final String CASES =
      """
      training: {epochs: 3}
      cases:
        - {method: {name: fedavg, fineTune: 2}, training: {learningRate: 0.1}}
        - {method: local, training: {learningRate: 0.2}}
      """;

  @Test
  void aCaseSetsKeysTogether() {
    ExperimentFile file = parse(CASES, "seeds=[1, 2]");
    assertThat(file.isGrid()).isTrue();
    assertThat(file.cells())
        .extracting(GridCell::label)
        .containsExactly(
            "fedavg fineTune=2, training.learningRate=0.1, seed=1",
            "fedavg fineTune=2, training.learningRate=0.1, seed=2",
            "local, training.learningRate=0.2, seed=1",
            "local, training.learningRate=0.2, seed=2");
    Experiment last = file.cells().getLast().experiment();
    assertThat(last.method()).isEqualTo(new Local());
    assertThat(last.training().learningRate()).isEqualTo(0.2);
    assertThat(last.training().epochs()).isEqualTo(3);
  }

  @Test
  void aKeyThatIsSetByHandNoLongerChangesFromCaseToCase() {
    assertThat(parse(CASES, "training.learningRate=0.5").cells())
        .extracting(cell -> cell.experiment().training().learningRate())
        .containsExactly(0.5, 0.5);
    assertThat(parse(CASES, "method=local").cells()).hasSize(1);
    assertThat(parse(CASES, "sweep.method=[local, fedavg]").cells())
        .extracting(GridCell::label)
        .containsExactly("local", "fedavg");
  }

  @Test
  void casesMustBeAListOfSections() {
    for (String wrong : List.of("local", "[]", "[local]", "{method: local}")) {
      assertThatThrownBy(() -> parse("method: local\ncases: " + wrong + "\n").cells())
          .isInstanceOf(ConfigException.class)
          .hasMessageStartingWith("file.yaml:2: 'cases' must list sections of keys");
    }
  }

  @Test
  void velocitiesAreCheckedAgainstTheTrainingSettings() {
    String averaged = "method: {name: fedavg, velocities: averaged}\n";
    assertThatThrownBy(() -> parse(averaged).experiment())
        .hasMessageContaining("method.velocities")
        .hasMessageContaining("set training.velocity to keep");
    assertThat(
            parse(averaged + "training: {velocity: keep, momentum: 0.9}\n")
                .experiment()
                .training()
                .velocity())
        .isEqualTo(Training.Velocity.KEEP);
    assertThatThrownBy(
            () ->
                parse("method: local\ntraining: {velocity: keep, optimizer: adamw}\n").experiment())
        .hasMessageContaining("training.velocity")
        .hasMessageContaining("choose the optimizer sgd");
  }
}
