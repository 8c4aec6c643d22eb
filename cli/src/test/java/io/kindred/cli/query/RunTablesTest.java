package io.kindred.cli.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.storage.OperatorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunTablesTest {
  @TempDir private Path folder;

  private Path run(String name, String... lines) throws IOException {
    Path run = Files.createDirectories(folder.resolve(name));
    Files.writeString(run.resolve("metrics.jsonl"), String.join("\n", lines) + "\n");
    Files.writeString(run.resolve("rounds.csv"), "round,mean\n1,0.5\n2,0.75\n");
    Files.writeString(run.resolve("summary.json"), "{\"peers\": 2}\n");
    return run;
  }

  private List<Path> two() throws IOException {
    return List.of(
        run(
            "method=local-1",
            "{\"round\":1,\"peer\":0,\"accuracy\":0.25}",
            "{\"round\":1,\"peer\":1,\"accuracy\":0.75,\"recall\":1.0}"),
        run("it's", "{\"round\":1,\"peer\":0,\"accuracy\":1.0}"));
  }

  @Test
  void runsAreTablesUnderTheNamesOfTheirFolders() throws IOException {
    try (RunTables tables = RunTables.open(two())) {
      QueryResult queryResult =
          tables.query("select run, avg(accuracy) as mean from metrics group by run order by run");
      assertThat(queryResult.columns()).containsExactly("run", "mean");
      assertThat(queryResult.rows())
          .containsExactly(
              List.of(Optional.of("it's"), Optional.of(1.0)),
              List.of(Optional.of("method=local-1"), Optional.of(0.5)));
      assertThat(queryResult.text())
          .isEqualTo("run             mean\nit's            1.0\nmethod=local-1  0.5\n");
      assertThat(tables.query("select sum(mean) from rounds").rows())
          .containsExactly(List.of(Optional.of(2.5)));
      assertThat(tables.query("select sum(peers) as peers from summary").mappings())
          .first()
          .hasToString("{peers=Optional[4]}");
    }
  }

  @Test
  void whatOnlySomeLinesHaveIsAbsentInTheOthers() throws IOException {
    try (RunTables tables = RunTables.open(two())) {
      assertThat(tables.query("select recall from metrics order by recall nulls last").rows())
          .containsExactly(
              List.of(Optional.of(1.0)), List.of(Optional.empty()), List.of(Optional.empty()));
    }
  }

  @Test
  void rowsAreWrittenInTheFormatOfTheFilesName() throws IOException {
    Path parquet = folder.resolve("all.parquet");
    try (RunTables tables = RunTables.open(two())) {
      tables.write("select * from metrics", parquet);
      assertThat(tables.query("select count(*) from '" + parquet + "'").rows())
          .containsExactly(List.of(Optional.of(3L)));
      assertThatThrownBy(() -> tables.write("select 1", folder.resolve("all.xls")))
          .isInstanceOf(OperatorException.class)
          .hasMessageContaining("must end in one of csv, json, parquet");
    }
  }

  @Test
  void aWrongQueryIsOneLineThatNamesTheTables() throws IOException {
    try (RunTables tables = RunTables.open(two())) {
      assertThatThrownBy(() -> tables.query("select nothing from nowhere"))
          .isInstanceOf(OperatorException.class)
          .hasMessageContaining("nowhere")
          .hasMessageContaining("tables are metrics, rounds, summary and confusion")
          .message()
          .doesNotContain("\n");
    }
  }
}
