package io.kindred.cli.study;

import io.kindred.cli.progress.ConsoleProgress;
import io.kindred.cli.progress.TerminalColumns;
import io.kindred.core.config.SettingException;
import io.kindred.runtime.command.DataOptions;
import io.kindred.runtime.command.ExitCode;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.folder.TextFolder;
import io.kindred.storage.OperatorException;
import io.kindred.storage.config.Binder;
import io.kindred.storage.config.ConfigException;
import io.kindred.storage.config.ConfigFile;
import io.kindred.storage.config.ConfigNode.Mapping;
import io.kindred.storage.config.Overrides;
import io.kindred.storage.disk.AtomicFile;
import io.kindred.storage.json.Json;
import io.kindred.studies.discovery.DiscoveryCharts;
import io.kindred.studies.discovery.DiscoveryComparison;
import io.kindred.studies.discovery.DiscoveryResult;
import io.kindred.studies.discovery.DiscoveryStudy;
import io.kindred.studies.discovery.DiscoveryStudyRun;
import io.kindred.studies.discovery.DiscoveryTables;
import io.kindred.studies.discovery.ModelVectors;
import io.kindred.studies.discovery.PeerVectors;
import io.kindred.studies.discovery.PlantedVectors;
import io.kindred.studies.overlay.PeerSignatures;
import io.kindred.studies.overlay.SavedModels;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures gossiped views of similar peers without training. */
@Command(
    name = "discovery",
    mixinStandardHelpOptions = true,
    description = {
      "Measures gossiped views of similar peers, without training.",
      "",
      "Each peer keeps a view: sketches of the models most similar to its own. In each round it",
      "exchanges models with a random contact and with a similar peer, and then asks its view for",
      "the K most similar peers. Prints the recall, which is the share of the true K nearest peers",
      "(exact cosine of the whole vectors, among peers that are up) that the view names, and what",
      "messages and kB this costs a peer in a round. Vectors are drawn in planted clusters, or are",
      "the changes of the models of a run.",
      "",
      "Draws recall over rounds (discovery.svg) and over kB (discovery-cost.svg). Each round is",
      "appended to discovery-rounds.jsonl as soon as it is measured, so a long study that is stopped",
      "keeps what it found.",
      ""
    },
    footer = {
      "",
      "Faults are settings: churn (peers go down and return), loss (lost messages), drift (peers",
      "change to another cluster), split (two halves cannot reach each other) and liars (peers that",
      "advertise false sketches; a second network then runs without checks).",
      "",
      "  kindred discovery --peers 1000",
      "  kindred discovery --peers 1000 --compare",
      "  kindred discovery --set churn=0.25 --set loss=0.1",
      "  kindred discovery --set drift.at=20",
      "  kindred discovery --rounds 30 --set split.from=11 --set split.to=15",
      "  kindred discovery --peers 1000 --set liars.share=0.1 \\",
      "    --set liars.kind=collude",
      "  kindred discovery --models runs/my-run --k 10",
      "The exit code is 1 if an honest peer was accused of a false claim.",
      "Settings for --set: docs/reference/discovery.md."
    })
public final class DiscoveryCommand implements Callable<Integer> {
  private static final int WIDEST = 80;

  @Option(names = "--peers", paramLabel = "N", description = "number of peers (default: 200)")
  private @Nullable Integer peers;

  @Option(names = "--rounds", paramLabel = "R", description = "number of rounds (default: 40)")
  private @Nullable Integer rounds;

  @Option(
      names = "--k",
      paramLabel = "K",
      description = "number of similar peers that a view is asked for (default: 20)")
  private @Nullable Integer wanted;

  @Option(
      names = "--models",
      paramLabel = "RUN",
      description = "run folder; vectors are the changes of its models instead of drawn")
  private @Nullable Path models;

  @Option(
      names = "--compare",
      description = "also search the semantic overlay, flood and probe at random, for the same kB")
  private boolean compare;

  @Option(names = "--seed", paramLabel = "N", description = "seed of all random draws")
  private @Nullable Long seed;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "set a key of the study; may be repeated")
  private List<String> assignments = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "runs",
      description = "folder for the pictures and discovery.json (default: ${DEFAULT-VALUE})")
  private Path out;

  @Option(names = "--json", description = "print one JSON document")
  private boolean json;

  @Mixin private DataOptions data;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  DiscoveryCommand() {}

  @Override
  public Integer call() throws IOException {
    Optional<SavedModels.Saved> saved = savedModels();
    List<String> all = allAssignments();
    saved.ifPresent(each -> all.add("peers=" + each.models().size()));
    Mapping root = Overrides.apply(ConfigFile.parse("discovery", "{}\n"), all);
    try {
      DiscoveryStudy study = new Binder(Experiment.CATALOGUES).bind(DiscoveryStudy.class, root);
      PeerVectors vectors =
          saved.isPresent()
              ? new ModelVectors(saved.get(), study.seed())
              : new PlantedVectors(study.drawn(), study.peers(), study.seed());
      DiscoveryResult result = run(study, vectors);
      write(result);
      return result.accusations().map(each -> each.ofHonestPeers() == 0).orElse(true)
          ? ExitCode.DONE
          : ExitCode.FAILED;
    } catch (SettingException invalid) {
      throw ConfigException.at(root, invalid);
    }
  }

  private DiscoveryResult run(DiscoveryStudy study, PeerVectors vectors) throws IOException {
    DiscoveryStudyRun run = new DiscoveryStudyRun(study, vectors);
    Files.createDirectories(out);
    try (RoundsFile rounds = RoundsFile.create(out.resolve("discovery-rounds.jsonl"))) {
      return compare
          ? compared(run, study, vectors, rounds)
          : run.run(ConsoleProgress.ofProcess(), rounds, each -> Optional.empty());
    } catch (UncheckedIOException failed) {
      throw failed.getCause();
    }
  }

  private DiscoveryResult compared(
      DiscoveryStudyRun run, DiscoveryStudy study, PeerVectors vectors, RoundsFile measured)
      throws IOException {
    DiscoveryComparison comparison = new DiscoveryComparison(study, vectors);
    PeerSignatures signatures =
        models == null
            ? comparison.drawnSignatures()
            : SavedModels.read(
                models,
                comparison.overlayStudy().overlay().signatures(),
                Optional.of(study.compare().entries()).filter(entries -> entries > 0),
                data.files());
    try (ExecutorService pool =
        Executors.newFixedThreadPool(
            Runtime.getRuntime().availableProcessors(), Thread.ofPlatform().daemon().factory())) {
      return run.run(
          ConsoleProgress.ofProcess(),
          measured,
          rounds ->
              Optional.of(
                  comparison.run(
                      rounds,
                      signatures,
                      new TextFolder(Path.of("")),
                      pool,
                      ConsoleProgress.ofProcess())));
    }
  }

  private void write(DiscoveryResult result) throws IOException {
    DiscoveryCharts charts = new DiscoveryCharts(result);
    AtomicFile.writeText(out.resolve("discovery.svg"), charts.overRounds());
    AtomicFile.writeText(out.resolve("discovery-cost.svg"), charts.overKilobytes());
    AtomicFile.writeText(out.resolve("discovery.json"), Json.document(result));
    System.out.print(
        json
            ? Json.document(result)
            : new DiscoveryTables(result).text(Math.min(WIDEST, TerminalColumns.ofTables()))
                + "pictures: "
                + out
                + "/discovery.svg, "
                + out
                + "/discovery-cost.svg\n");
  }

  private Optional<SavedModels.Saved> savedModels() throws IOException {
    if (models == null) {
      return Optional.empty();
    }
    if (peers != null) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "--peers and --models exclude each other: the run sets the number of peers; leave one out");
    }
    return Optional.of(SavedModels.read(models, data.files()));
  }

  private List<String> allAssignments() {
    List<String> all = new ArrayList<>(assignments);
    add(all, "peers", peers);
    add(all, "seed", seed);
    add(all, "rounds", rounds);
    add(all, "wanted", wanted);
    return all;
  }

  private static void add(List<String> all, String key, @Nullable Object value) {
    if (value != null) {
      all.add(key + "=" + value);
    }
  }
}
