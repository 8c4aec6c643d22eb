package io.kindred.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.report.table.Cell;
import io.kindred.report.table.Column;
import io.kindred.report.table.Table;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TableChartTest {
  private static Table table(String left, String right, String... rows) {
    return new Table(
        "accuracy.local.mean",
        List.of(
            Column.words("method"),
            Column.percent(left, Column.Best.NONE),
            Column.percent(right, Column.Best.NONE)),
        Stream.of(rows).map(row -> List.of(Cell.of(row), Cell.of(0.5), Cell.of(0.75))).toList());
  }

  @Test
  void columnsThatAreNumbersArePlacesOfALinePerRow() {
    Table table = table("100", "400", "local", "fedavg");
    Figure figure = new TableChart(table, "peers").figure(true).orElseThrow();
    assertThat(figure.name()).isEqualTo("table");
    assertThat(figure.svg())
        .contains("accuracy.local.mean by peers")
        .contains(">local<", ">fedavg<", ">400<", "70 %");
  }

  @Test
  void betweenCountsThereIsNothingToMark() {
    assertThat(
            new TableChart(table("1", "2", "fedspd"), "clusters").figure(true).orElseThrow().svg())
        .doesNotContain(">1.5<");
    assertThat(
            new TableChart(table("1", "1.5", "fedspd"), "alpha").figure(true).orElseThrow().svg())
        .contains(">1.5<");
  }

  @Test
  void columnsThatAreNamesAreNoPlaces() {
    Table table = table("dirichlet", "0.1", "local");
    assertThat(new TableChart(table, "partition").figure(true)).isEmpty();
  }

  @Test
  void aLongNameGivesWayToItsFirstWordWhereThatIsEnough() {
    Table table =
        table(
            "0",
            "1",
            "ditto timeout=seconds=60 factor=3 staleness=1",
            "fedavg timeout=seconds=60 factor=3 staleness=1",
            "fedavg timeout=seconds=60 factor=3 staleness=2");
    assertThat(new TableChart(table, "churn").figure(true).orElseThrow().svg())
        .contains(">ditto<", ">fedavg timeout=seconds=60 factor=3 staleness=2<");
  }
}
