package io.kindred.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.storage.config.ConfigFile;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GridCellTest {
  private static GridCell cell(String text) {
    return ExperimentFile.of(ConfigFile.parse("f", text), Optional.empty(), List.of())
        .cells()
        .getFirst();
  }

  private static final String GRID = "sweep: {method: [{name: fedavg, fineTune: 1}], peers: [8]}\n";

  @Test
  void theFolderIsNamedAfterChoicesAndConfiguration() {
    assertThat(cell(GRID).folderName()).matches("fedavg_finetune=1_peers=8-[0-9a-f]{8}");
    assertThat(cell("method: local\n").folderName()).matches("run-[0-9a-f]{8}");
  }

  @Test
  void theNameIsStable() {
    String name = cell(GRID).folderName();
    assertThat(cell(GRID).folderName()).isEqualTo(name);
    assertThat(cell("rounds: 20\n" + GRID).folderName()).as("defaults").isEqualTo(name);
    assertThat(cell("workers: 3\n" + GRID).folderName()).as("workers").isEqualTo(name);
    assertThat(cell("profiles: {smoke: {rounds: 1}}\n" + GRID).folderName()).isEqualTo(name);
  }

  @Test
  void anotherConfigurationHasAnotherName() {
    String name = cell(GRID).folderName();
    assertThat(cell("rounds: 21\n" + GRID).folderName()).isNotEqualTo(name);
    assertThat(cell("training: {momentum: 0.1}\n" + GRID).folderName()).isNotEqualTo(name);
    assertThat(cell("evaluation: {every: 2}\n" + GRID).folderName()).isNotEqualTo(name);
  }

  @Test
  void aLongNameIsCutAndStaysItsOwn() {
    String start = "method: local\nsweep: {model: [{name: mlp, hidden: [";
    String longList = "11, ".repeat(40);
    GridCell one = cell(start + longList + "1]}]}\n");
    GridCell other = cell(start + longList + "2]}]}\n");
    assertThat(one.folderName()).hasSizeLessThan(80).isNotEqualTo(other.folderName());
  }
}
