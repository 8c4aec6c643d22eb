package io.kindred.node.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class NodeMainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int execute(String... arguments) {
    CommandLine line = NodeMain.commandLine();
    line.setOut(new PrintWriter(out));
    line.setErr(new PrintWriter(err));
    return line.execute(arguments);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "io.kindred.simulator.Simulation",
        "io.kindred.experiment.Run",
        "io.kindred.report.HtmlReport",
        "io.kindred.studies.fuzz.Fuzzer",
        "io.kindred.cli.Kindred",
        "org.duckdb.DuckDBDriver"
      })
  void theClassPathOfANodeHoldsNoLaboratory(String name) {
    assertThatThrownBy(() -> Class.forName(name)).isInstanceOf(ClassNotFoundException.class);
  }

  @Test
  void theCommandsAreThoseOfTheWholeProgram() {
    assertThat(execute("node", "--help")).isZero();
    assertThat(out.toString()).contains("Usage: kindred node", "start", "preflight", "cert");
  }

  @Test
  void aWrongVerbIsToldInOneLineWithTheNearestOne() {
    assertThat(execute("node", "strat")).isEqualTo(2);
    assertThat(err.toString())
        .isEqualTo(
            "kindred: there is no verb 'strat'; did you mean 'start'? (see 'kindred node"
                + " --help')"
                + System.lineSeparator());
  }

  @Test
  void aMissingConfigurationIsToldInOneLine() {
    assertThat(execute("node", "start", "--config", "nowhere/node.yaml")).isEqualTo(2);
    assertThat(err.toString().lines()).singleElement().asString().contains("nowhere/node.yaml");
  }
}
