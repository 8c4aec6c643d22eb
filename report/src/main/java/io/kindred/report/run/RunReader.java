package io.kindred.report.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Reads run folders, finished or not. A truncated last line of an unfinished run is expected from a
 * running writer and only noted; any other damage is an error with file and line.
 */
public final class RunReader {
  private static final List<String> FILES =
      List.of("config.yaml", "summary.json", "metrics.jsonl", "rounds.csv");

  private final JsonMapper json = new JsonMapper();
  private final YAMLMapper yaml = new YAMLMapper();

  /** Reads one run folder. */
  public RunRecord read(Path folder) throws IOException {
    if (FILES.stream().noneMatch(name -> Files.isRegularFile(folder.resolve(name)))) {
      throw new NotDirectoryException(
          folder + " is not a run folder: it holds none of " + String.join(", ", FILES));
    }
    List<String> notes = new ArrayList<>();
    String configuration = text(folder.resolve("config.yaml"));
    Path summaryFile = folder.resolve("summary.json");
    boolean finished = Files.isRegularFile(summaryFile);
    FlatDocument flatDocument = finished ? summary(summaryFile) : FlatDocument.EMPTY;
    FlatDocument settings = settings(configuration);
    HostilePeerList hostile = hostile(folder.resolve("adversaries.json"));
    hostile.note().ifPresent(notes::add);
    Evaluations all =
        new MetricsReader(finished, hostile.names()).read(folder.resolve("metrics.jsonl"), notes);
    Optional<RunProgress> progress = finished ? Optional.empty() : RunProgress.of(all, settings);
    Evaluations evaluations = progress.map(each -> all.upTo(each.round())).orElse(all);
    Path roundsFile = folder.resolve("rounds.csv");
    List<RoundRow> rounds =
        Files.isRegularFile(roundsFile)
            ? upTo(progress, new RoundsReader(finished).read(roundsFile, notes))
            : RoundsReader.fromEvaluations(evaluations);
    return new RunRecord(
        folder,
        configuration,
        settings,
        flatDocument,
        finished,
        progress,
        rounds,
        evaluations,
        RunArtifacts.read(folder),
        notes);
  }

  private static List<RoundRow> upTo(Optional<RunProgress> progress, List<RoundRow> rows) {
    return progress
        .map(
            reached ->
                rows.stream()
                    .filter(row -> row.round() <= reached.round() && row.stage() != Stage.FINAL)
                    .toList())
        .orElse(rows);
  }

  /** Reads several run folders in the given order. */
  public List<RunRecord> readAll(List<Path> folders) throws IOException {
    List<RunRecord> records = new ArrayList<>();
    for (Path folder : folders) {
      records.add(read(folder));
    }
    return records;
  }

  private static String text(Path file) throws IOException {
    return Files.isRegularFile(file)
        ? new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
        : "";
  }

  private FlatDocument summary(Path file) throws IOException {
    try {
      return FlatDocument.of(json.readTree(text(file)));
    } catch (JacksonException damaged) {
      throw new DamagedRunException(file, line(damaged), damaged.getOriginalMessage());
    }
  }

  private HostilePeerList hostile(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return HostilePeerList.NONE;
    }
    try {
      return HostilePeerList.of(json.readTree(text(file)));
    } catch (JacksonException damaged) {
      throw new DamagedRunException(file, line(damaged), damaged.getOriginalMessage());
    }
  }

  /** A configuration that is not YAML loses only its settings; its text is shown anyway. */
  private FlatDocument settings(String configuration) {
    if (configuration.isBlank()) {
      return FlatDocument.EMPTY;
    }
    try {
      return FlatDocument.of(yaml.readTree(configuration));
    } catch (JacksonException notYaml) {
      return FlatDocument.EMPTY;
    }
  }

  static long line(JacksonException damaged) {
    return damaged.getLocation() == null ? 1 : Math.max(1, damaged.getLocation().getLineNr());
  }
}
