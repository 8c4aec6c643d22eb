package io.kindred.node.assembly;

import io.kindred.learning.data.DataReading;
import io.kindred.learning.data.format.TaskReader;
import io.kindred.runtime.adversary.WhoIsWho;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.runtime.folder.RunEnvironment;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.runtime.metrics.MetricLine;
import io.kindred.runtime.metrics.MetricsFile;
import io.kindred.runtime.metrics.OverallMeasures;
import io.kindred.runtime.metrics.RoundTable;
import io.kindred.runtime.metrics.RunSummary;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Merges the results of many nodes into those of one run: the same files in the same formats.
 * Values that only a simulator has, such as virtual time and the hash of all events, are absent.
 */
final class FleetResults {
  private final Fleet fleet;
  private final Experiment experiment;
  private final RunFolder results;
  private final List<MetricLine> lines;

  FleetResults(Fleet fleet) {
    this.fleet = fleet;
    this.experiment = fleet.experiment();
    this.results = fleet.results();
    this.lines = lines();
  }

  /** A node that was killed may have run a round twice; its last line of a round counts. */
  private List<MetricLine> lines() {
    SortedMap<RoundTable.RoundStage, SortedMap<Long, MetricLine>> last = new TreeMap<>();
    for (int number = 0; number < experiment.peers(); number++) {
      Path file = runFolder(number).metrics();
      if (Files.isRegularFile(file)) {
        MetricsFile.read(
            file,
            line ->
                last.computeIfAbsent(
                        new RoundTable.RoundStage(line.round(), line.stage()),
                        roundStage -> new TreeMap<>())
                    .put(line.peer(), line));
      }
    }
    return last.values().stream().flatMap(each -> each.values().stream()).toList();
  }

  private RunFolder runFolder(int number) {
    return new RunFolder(fleet.folder(number).resolve("run"));
  }

  void write() throws IOException {
    Files.createDirectories(results.path());
    RoundTable table = RoundTable.of(experiment);
    StringBuilder text = new StringBuilder();
    for (MetricLine line : lines) {
      table.add(line);
      text.append(Json.line(line)).append('\n');
    }
    RunFolder.writeText(results.config(), ExperimentFile.resolvedYaml(experiment.withWorkers(0)));
    WhoIsWho.write(experiment, results);
    RunFolder.writeText(results.environment(), Json.document(RunEnvironment.of(experiment)));
    RunFolder.writeText(results.metrics(), text.toString());
    RunFolder.writeText(results.rounds(), table.csv(new TreeMap<>()));
    writeExplanations();
    writeClasses();
    copyModels();
    RunFolder.writeText(
        results.summary(),
        Json.document(RunSummary.of(experiment, table, traffic(), seconds(), Optional.empty())));
  }

  /** Collects the explanations of the nodes: each node knows only its own group of peers. */
  private void writeExplanations() {
    List<JsonNode> peers = new ArrayList<>();
    SortedMap<String, Object> document = new TreeMap<>();
    for (int number = 0; number < experiment.peers(); number++) {
      Path file = runFolder(number).explanations();
      if (Files.isRegularFile(file)) {
        JsonNode explanations = Json.tree(RunFolder.readText(file));
        explanations.get("peers").forEach(peers::add);
        if (explanations.has("groups")) {
          document.put("groups", explanations.get("groups"));
        }
      }
    }
    if (!peers.isEmpty()) {
      document.put("peers", peers);
      RunFolder.writeText(results.explanations(), Json.document(document));
    }
  }

  /** All nodes number the classes alike, so the reading of any of them names the classes. */
  private void writeClasses() throws IOException {
    List<String> names = List.of();
    for (int number = 0; number < experiment.peers() && names.isEmpty(); number++) {
      Path file = runFolder(number).data();
      if (Files.isRegularFile(file)) {
        names = TaskReader.ofReading(file.toString(), Files.readAllBytes(file)).classes();
        results.writeReading(DataReading.ofClasses(names));
      }
    }
    List<String> classes = names;
    OverallMeasures.of(results.metrics())
        .confusionCsv(each -> classes.isEmpty() ? Integer.toString(each) : classes.get(each))
        .ifPresent(each -> RunFolder.writeText(results.confusion(), each));
  }

  private void copyModels() throws IOException {
    Files.createDirectories(results.models());
    for (int number = 0; number < experiment.peers(); number++) {
      Path models = runFolder(number).models();
      if (!Files.isDirectory(models)) {
        continue;
      }
      try (Stream<Path> files = Files.list(models)) {
        for (Path each : files.toList()) {
          Files.copy(
              each,
              results.models().resolve(String.valueOf(each.getFileName())),
              StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }

  private RunSummary.TrafficMetrics traffic() {
    long model = 0;
    long control = 0;
    long pulled = 0;
    for (Fleet.NodeProcess process : fleet.nodeProcesses()) {
      Optional<JsonNode> totals = process.status().map(each -> each.get("totals"));
      model += totals.map(each -> each.get("sentModel").asLong()).orElse(0L);
      control += totals.map(each -> each.get("sentControl").asLong()).orElse(0L);
      pulled += totals.map(each -> each.get("pulled").asLong()).orElse(0L);
    }
    return new RunSummary.TrafficMetrics(
        model,
        control,
        pulled / ((double) experiment.peers() * experiment.rounds()),
        Optional.empty());
  }

  /** From the start of the first node to the last line of the last one. */
  private double seconds() throws IOException {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (int number = 0; number < experiment.peers(); number++) {
      if (Files.isRegularFile(runFolder(number).metrics())) {
        first = Math.min(first, Files.getLastModifiedTime(runFolder(number).config()).toMillis());
        last = Math.max(last, Files.getLastModifiedTime(runFolder(number).metrics()).toMillis());
      }
    }
    return Math.max(0, last - first) / 1e3;
  }
}
