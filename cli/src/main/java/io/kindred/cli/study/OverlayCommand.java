package io.kindred.cli.study;

import io.kindred.cli.progress.ConsoleProgress;
import io.kindred.core.config.SettingException;
import io.kindred.experiment.OverlayHierarchy;
import io.kindred.runtime.Progress;
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
import io.kindred.studies.overlay.CosineRetention;
import io.kindred.studies.overlay.OverlayStudy;
import io.kindred.studies.overlay.OverlayStudyResult;
import io.kindred.studies.overlay.OverlayStudyRun;
import io.kindred.studies.overlay.PeerSignatures;
import io.kindred.studies.overlay.ResilienceStudy;
import io.kindred.studies.overlay.SavedModels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.DoubleFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Builds the semantic overlay without training and searches it. */
@Command(
    name = "overlay",
    mixinStandardHelpOptions = true,
    description = {
      "Builds the semantic overlay without training, and searches it.",
      "",
      "Peers elect initiators, form zones, cluster their signatures and build a hierarchy; then each",
      "peer queries for the peers most similar to it. Signatures are drawn in planted clusters, or",
      "computed from the models of a run. Prints depth, zones, state, messages and bytes for building",
      "and per query, and the recall: the share of the K most similar peers that were found. Draws",
      "the hierarchy as overlay.svg. For models of a run, retention.svg shows the cosine between a",
      "model and its largest entries.",
      ""
    },
    footer = {
      "",
      "With a beam of B, a search visits up to B children of every super-peer on its path (node), or",
      "up to B super-peers of each level (level). 'flooding' and 'probing' are the recall of searches",
      "without an overlay that send the same number of messages.",
      "",
      "  kindred overlay --peers 200 --k 20",
      "  kindred overlay --peers 1000 --beams 1,4,16,64 --both-readings \\",
      "    --set overlay.zoneSize=20",
      "  kindred overlay --peers 200 --study churn \\",
      "    --set overlay.maintenance.leaseSeconds=2",
      "  kindred overlay --models runs/my-run --k 10,20 --set overlay.zoneSize=10",
      "Settings for --set: docs/reference/overlay.md."
    })
public final class OverlayCommand implements Callable<Integer> {
  private static final double PICTURE_WIDTH = 1100;
  private static final int CRASHES_PER_NETWORK = 20;
  private static final List<Double> CHURN_RATES = List.of(0.0, 0.1, 0.25, 0.4);
  private static final int CHURN_ROUNDS = 5;
  private static final double CHURN_ROUND_SECONDS = 20;

  /** One run without a crash, and one with a crash of each of three roles. */
  private static final int REPAIRS = 4;

  /** Drift thresholds: zones that ignore drift, and zones that re-cluster. */
  private static final List<Double> DRIFTS = List.of(0.0, 0.2);

  private static final double DRIFTING_SHARE = 0.3;

  @Option(names = "--peers", paramLabel = "N", description = "number of peers (default: 200)")
  private @Nullable Integer peers;

  @Option(
      names = "--k",
      paramLabel = "K,...",
      description = "number of candidates that a query requests; several numbers are tried in turn")
  private @Nullable String wanted;

  @Option(names = "--beams", paramLabel = "B,...", description = "beams to try, one after another")
  private @Nullable String beams;

  @Option(names = "--both-readings", description = "try the beam per level and per super-peer")
  private boolean bothReadings;

  @Option(
      names = "--askers",
      paramLabel = "Q",
      description = "number of peers that query (default: all)")
  private @Nullable Integer askers;

  @Option(
      names = "--models",
      paramLabel = "RUN",
      description = "run folder; signatures are computed from its models instead of drawn")
  private @Nullable Path models;

  @Option(
      names = "--entries",
      paramLabel = "P",
      description = "entries of a model's signature (default: computed from the models)")
  private @Nullable Integer entries;

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
      description = "folder for overlay.svg and overlay.json (default: ${DEFAULT-VALUE})")
  private Path out;

  @Option(
      names = "--study",
      paramLabel = "S",
      description =
          "measure resilience instead: failover (super-peers crash), churn (0, 10, 25 and 40%% of the"
              + " peers leave per round), repair (messages that one crash causes),"
              + " drift (30%% of the peers move to other clusters)")
  private @Nullable String studyName;

  @Option(
      names = "--crashes",
      paramLabel = "N",
      defaultValue = "100",
      description = "number of crashes in a failover study (default: ${DEFAULT-VALUE})")
  private int crashes;

  @Option(names = "--json", description = "print one JSON document")
  private boolean json;

  @Mixin private DataOptions data;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  OverlayCommand() {}

  @Override
  public Integer call() throws IOException {
    Mapping root = Overrides.apply(ConfigFile.parse("overlay", "{}\n"), allAssignments());
    try (ExecutorService pool =
        Executors.newFixedThreadPool(
            Runtime.getRuntime().availableProcessors(), Thread.ofPlatform().daemon().factory())) {
      OverlayStudy study = bind(root);
      if (studyName != null) {
        if (models != null) {
          throw new OperatorException(
              OperatorException.WRONG_USE,
              "--study draws its own signatures; leave out --models or --study");
        }
        return runResilienceStudy(study, studyName);
      }
      Optional<PeerSignatures> signed = signedModels(study);
      if (signed.isPresent()) {
        List<String> more = new ArrayList<>(allAssignments());
        more.add("peers=" + signed.get().size());
        study = bind(Overrides.apply(ConfigFile.parse("overlay", "{}\n"), more));
      }
      OverlayStudyRun run =
          new OverlayStudyRun(
              study, signed.orElseGet(study::drawSignatures), new TextFolder(Path.of("")), pool);
      OverlayStudyResult overlayStudyResult = run.run(ConsoleProgress.ofProcess());
      Files.createDirectories(out);
      AtomicFile.writeText(
          out.resolve("overlay.svg"),
          OverlayHierarchy.tree(run.structure().clusters())
              .svg(
                  "Overlay of "
                      + overlayStudyResult.peers()
                      + " peers: clusters of clusters, from the top down",
                  PICTURE_WIDTH));
      AtomicFile.writeText(out.resolve("overlay.json"), Json.document(overlayStudyResult));
      System.out.print(
          json
              ? Json.document(overlayStudyResult)
              : overlayStudyResult.text() + "picture: " + out + "/overlay.svg\n");
      if (signed.isPresent()) {
        writeRetention(signed.get(), study);
      }
      return overlayStudyResult.building().faults() == 0 ? ExitCode.DONE : ExitCode.FAILED;
    } catch (SettingException invalid) {
      throw ConfigException.at(root, invalid);
    }
  }

  private void writeRetention(PeerSignatures signed, OverlayStudy study) throws IOException {
    CosineRetention cosineRetention =
        CosineRetention.of(signed.models(), study.overlay().signatures());
    AtomicFile.writeText(out.resolve("retention.svg"), cosineRetention.svg());
    if (!json) {
      System.out.print(cosineRetention.text() + "picture: " + out + "/retention.svg\n");
    }
  }

  private int runResilienceStudy(OverlayStudy given, String name) throws IOException {
    Progress progress = ConsoleProgress.ofProcess();
    ResilienceStudy study = new ResilienceStudy(given, progress);
    StudyTask studyTask =
        switch (name) {
          case "failover" ->
              new StudyTask(crashes, () -> study.measureFailover(crashes, CRASHES_PER_NETWORK));
          case "churn" ->
              forEachValue(
                  CHURN_RATES, rate -> study.measureChurn(rate, CHURN_ROUNDS, CHURN_ROUND_SECONDS));
          case "repair" -> new StudyTask(REPAIRS, study::measureRepairs);
          case "drift" -> forEachValue(DRIFTS, drift -> study.measureDrift(DRIFTING_SHARE, drift));
          default ->
              throw new OperatorException(
                  OperatorException.WRONG_USE,
                  "--study " + name + " is not known; write failover, churn, repair or drift");
        };
    progress.begin(name, studyTask.steps(), 0);
    Object figures = studyTask.figures().get();
    progress.end("done");
    Files.createDirectories(out);
    AtomicFile.writeText(out.resolve("overlay-" + name + ".json"), Json.document(figures));
    System.out.print(Json.document(figures));
    return ExitCode.DONE;
  }

  /** A study and its number of progress steps. */
  private record StudyTask(long steps, Supplier<Object> figures) {}

  private static StudyTask forEachValue(List<Double> values, DoubleFunction<Object> measured) {
    return new StudyTask(
        values.size(), () -> values.stream().map(each -> measured.apply(each)).toList());
  }

  private static OverlayStudy bind(Mapping root) {
    return new Binder(Experiment.CATALOGUES).bind(OverlayStudy.class, root);
  }

  private Optional<PeerSignatures> signedModels(OverlayStudy study) throws IOException {
    if (models == null) {
      return Optional.empty();
    }
    if (peers != null) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "--peers and --models exclude each other: the run sets the number of peers; leave one out");
    }
    return Optional.of(
        SavedModels.read(
            models, study.overlay().signatures(), Optional.ofNullable(entries), data.files()));
  }

  private List<String> allAssignments() {
    List<String> all = new ArrayList<>(assignments);
    add(all, "peers", peers);
    add(all, "seed", seed);
    add(all, "askers", askers);
    add(all, "wanted", wanted == null ? null : "[" + wanted + "]");
    add(all, "beams", beams == null ? null : "[" + beams + "]");
    if (bothReadings) {
      all.add("bothReadings=true");
    }
    return all;
  }

  private static void add(List<String> all, String key, @Nullable Object value) {
    if (value != null) {
      all.add(key + "=" + value);
    }
  }
}
