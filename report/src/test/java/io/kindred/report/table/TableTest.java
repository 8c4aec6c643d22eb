package io.kindred.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
  private static final Table TABLE =
      new Table(
          "",
          List.of(
              Column.words("method"),
              Column.percent("accuracy %", Column.Best.HIGHEST),
              Column.numbers("rounds", 0, Column.Best.LOWEST)),
          List.of(
              List.of(Cell.of("a_b, \"c\""), Cell.of(Spread.overSeeds(0.8, 0.82)), Cell.of(9)),
              List.of(Cell.of("<local>|"), Cell.of(0.655), Cell.of(Double.NaN)),
              List.of(Cell.of("third"), Cell.of(0.1), Cell.of(12))));

  @Test
  void terminalTextIsAlignedAndMarksTheBest() {
    assertThat(TABLE.text())
        .isEqualTo(
            """
            method    accuracy %   rounds
            --------  -----------  -------
            a_b, "c"  81.0 ± 1.4*       9*
            <local>|        65.5        -
            third           10.0       12
            """);
  }

  @Test
  void aTableThatIsTooWideContinuesBelowItself() {
    Table wide =
        new Table(
            "",
            List.of(
                Column.words("method"),
                Column.percent("accuracy %", Column.Best.HIGHEST),
                Column.numbers("rounds", 0, Column.Best.NONE),
                Column.numbers("models/round", 1, Column.Best.NONE)),
            List.of(
                List.of(Cell.of("local"), Cell.of(0.8), Cell.of(9), Cell.of(0)),
                List.of(
                    Cell.of("fedavg with a very long name, seed=1"),
                    new Cell.Measured(Spread.overSeeds(0.79), true),
                    Cell.of(12),
                    Cell.of(2))),
            "the difference may be chance, as a bootstrap says",
            List.of());
    assertThat(wide.text(44))
        .isEqualTo(
            """
            method                          accuracy %
            ------------------------------  -----------
            local                                 80.0*
            fedavg with a v…g name, seed=1        79.0~

            method                          rounds
            ------------------------------  ------
            local                                9
            fedavg with a v…g name, seed=1      12

            method                          models/round
            ------------------------------  ------------
            local                                    0.0
            fedavg with a v…g name, seed=1           2.0
            * best, ~ the difference may be chance, as a
            bootstrap says
            """);
    assertThat(wide.text(200).lines()).hasSize(5);
  }

  @Test
  void evenAVeryNarrowTerminalGetsATable() {
    assertThat(TABLE.text(3)).isEqualTo(TABLE.text(40));
  }

  @Test
  void csvQuotesAndSeparatesDeviation() {
    assertThat(TABLE.csv())
        .isEqualTo(
            "method,accuracy %,accuracy % std,rounds\r\n"
                + "\"a_b, \"\"c\"\"\",81,1.41421,9\r\n"
                + "<local>|,65.5,,\r\n"
                + "third,10,,12\r\n");
  }

  @Test
  void latexIsEscapedAndBold() {
    assertThat(TABLE.latex())
        .isEqualTo(
            """
            \\begin{tabular}{lrr}
            \\toprule
            method & accuracy \\% & rounds \\\\
            \\midrule
            a\\_b, "c" & $\\mathbf{81.0 \\pm 1.4}$ & $\\mathbf{9}$ \\\\
            \\textless{}local\\textgreater{}| & $65.5$ & - \\\\
            third & $10.0$ & $12$ \\\\
            \\bottomrule
            \\end{tabular}
            """);
  }

  @Test
  void markdownIsEscapedAndBold() {
    assertThat(TABLE.markdown())
        .isEqualTo(
            """
            | method | accuracy % | rounds |
            | --- | ---: | ---: |
            | a\\_b, "c" | **81.0 ± 1.4** | **9** |
            | \\<local\\>\\| | 65.5 | - |
            | third | 10.0 | 12 |
            """);
  }

  @Test
  void htmlIsEscapedAndStrong() {
    assertThat(TABLE.html())
        .contains("<strong>81.0<small> ± 1.4</small></strong>")
        .contains("<th scope=\"row\">&lt;local&gt;|</th>")
        .contains("<td class=\"number\">-</td>");
  }

  @Test
  void equalValuesAreNotMarked() {
    Table table =
        new Table(
            "",
            List.of(Column.percent("x", Column.Best.HIGHEST)),
            List.of(List.of(Cell.of(0.5)), List.of(Cell.of(0.5))));
    assertThat(table.text()).doesNotContain("*");
  }
}
