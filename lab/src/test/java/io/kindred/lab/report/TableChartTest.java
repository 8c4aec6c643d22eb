package io.kindred.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableChartTest {
  private static Table table(Column left, Column right) {
    return new Table(
        "accuracy.local.mean",
        List.of(Column.words("method"), left, right),
        List.of(
            List.of(Cell.of("local"), Cell.of(0.5), Cell.of(0.75)),
            List.of(Cell.of("fedavg"), Cell.of(0.25), new Cell.Absent())));
  }

  @Test
  void columnsThatAreNumbersArePlacesOfALinePerRow() {
    Table table =
        table(
            Column.percent("100", Column.Best.HIGHEST), Column.percent("400", Column.Best.HIGHEST));
    Figure figure = new TableChart(table, "peers").figure(true).orElseThrow();
    assertThat(figure.name()).isEqualTo("table");
    assertThat(figure.svg())
        .contains("accuracy.local.mean by peers")
        .contains(">local<", ">fedavg<", ">400<", "70 %");
  }

  @Test
  void columnsThatAreNamesAreNoPlaces() {
    Table table =
        table(
            Column.percent("dirichlet", Column.Best.NONE), Column.percent("0.1", Column.Best.NONE));
    assertThat(new TableChart(table, "partition").figure(true)).isEmpty();
  }
}
