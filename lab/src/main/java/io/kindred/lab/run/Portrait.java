package io.kindred.lab.run;

import io.kindred.files.json.Json;
import io.kindred.simulator.Setup;
import io.kindred.simulator.Simulation;
import java.io.IOException;
import java.util.Optional;

/** What a finished run looks like inside, for pictures: who holds what, who is like whom. */
final class Portrait {
  private final RunFolder folder;
  private final Setup setup;

  Portrait(RunFolder folder, Setup setup) {
    this.folder = folder;
    this.setup = setup;
  }

  void write(Simulation simulation, RoundTable table) throws IOException {
    RunFolder.writeText(folder.partition(), Histogram.of(setup.holdings()).table().csv());
    Optional<Likeness> likeness =
        Likeness.of(
            folder.models(),
            setup.architecture().layout(),
            setup.cast().firstStart(),
            setup.holdings().peers().size());
    likeness.ifPresent(
        each ->
            RunFolder.writeText(folder.similarity(), each.csv(setup.holdings(), table.clusters())));
    var tree = Hierarchy.tree(Hierarchy.seats(Hierarchy.states(simulation.everybody())));
    if (!tree.top().isEmpty()) {
      RunFolder.writeText(folder.hierarchy(), Json.document(tree));
    }
  }
}
