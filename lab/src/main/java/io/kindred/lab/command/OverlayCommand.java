package io.kindred.lab.command;

import io.kindred.core.settings.Complaint;
import io.kindred.files.OperatorException;
import io.kindred.files.config.Binder;
import io.kindred.files.config.ConfigException;
import io.kindred.files.config.ConfigFile;
import io.kindred.files.config.ConfigNode.Mapping;
import io.kindred.files.config.Overrides;
import io.kindred.files.disk.AtomicFile;
import io.kindred.files.json.Json;
import io.kindred.lab.experiment.Experiment;
import io.kindred.lab.overlay.Figures;
import io.kindred.lab.overlay.Population;
import io.kindred.lab.overlay.Retention;
import io.kindred.lab.overlay.SavedModels;
import io.kindred.lab.overlay.Study;
import io.kindred.lab.overlay.StudyRun;
import io.kindred.lab.overlay.Survival;
import io.kindred.lab.run.Hierarchy;
import io.kindred.lab.run.Progress;
import io.kindred.lab.run.TextFolder;
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

/** Builds the semantic overlay by itself and searches it. */
@Command(
    name = "overlay",
    mixinStandardHelpOptions = true,
    description = {
      "Builds the semantic overlay by itself and searches it: no training, only messages.",
      "",
      "Peers elect initiators, form zones, cluster their signatures and build a hierarchy; then"
          + " each asks",
      "who is most like it. Signatures are drawn in planted clusters, or taken from the models of a"
          + " run.",
      "Prints depth, zones, state, messages and bytes for building and per query, and recall: how"
          + " many",
      "of the K truly most similar peers were found. The hierarchy is drawn as overlay.svg, and for",
      "models of a run, which cosine their largest entries keep as retention.svg.",
      ""
    },
    footer = {
      "",
      "A beam of B: up to B children of every super-peer on the way (node), or B super-peers of a"
          + " level in",
      "all (level). 'flooding' and 'probing' are the recall without an overlay for as many"
          + " messages.",
      "",
      "  kindred overlay --peers 200 --k 20",
      "  kindred overlay --peers 1000 --beams 1,4,16,64 --both-readings --set overlay.zoneSize=20",
      "  kindred overlay --peers 200 --study churn --set overlay.life.leaseSeconds=2",
      "  kindred overlay --models runs/my-run --k 10,20 --set overlay.zoneSize=10",
      "Settings for --set: docs/reference/overlay.md."
    })
final class OverlayCommand implements Callable<Integer> {
  private static final double PICTURE_WIDTH = 1100;
  private static final int CRASHES_OF_A_NETWORK = 20;
  private static final List<Double> CHURN_RATES = List.of(0.0, 0.1, 0.25, 0.4);
  private static final int CHURN_ROUNDS = 5;
  private static final double CHURN_ROUND_SECONDS = 20;

  /** Without a crash, and with one of each of three kinds. */
  private static final int REPAIRS = 4;

  /** Zones that let models drift, and those that do not. */
  private static final List<Double> DRIFTS = List.of(0.0, 0.2);

  private static final double DRIFTING_SHARE = 0.3;

  @Option(names = "--peers", paramLabel = "N", description = "how many peers (default: 200)")
  private @Nullable Integer peers;

  @Option(
      names = "--k",
      paramLabel = "K,...",
      description = "how many candidates a query wants; several are asked one after another")
  private @Nullable String wanted;

  @Option(names = "--beams", paramLabel = "B,...", description = "beams to try, one after another")
  private @Nullable String beams;

  @Option(names = "--both-readings", description = "try the beam per level and per super-peer")
  private boolean bothReadings;

  @Option(names = "--askers", paramLabel = "Q", description = "how many peers ask (default: all)")
  private @Nullable Integer askers;

  @Option(
      names = "--models",
      paramLabel = "RUN",
      description = "run folder whose peers' models are signed, in place of drawn signatures")
  private @Nullable Path models;

  @Option(
      names = "--entries",
      paramLabel = "P",
      description = "entries of a model's signature (default: what the models need)")
  private @Nullable Integer entries;

  @Option(names = "--seed", paramLabel = "N", description = "what every draw is derived from")
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
      description = {
        "how it lives instead: failover (super-peers crash), churn (0, 10, 25 and 40%% a round),",
        "repair (messages that one crash causes),",
        "drift (30%% of the peers turn to other clusters)"
      })
  private @Nullable String survival;

  @Option(
      names = "--crashes",
      paramLabel = "N",
      defaultValue = "100",
      description = "crashes of a failover study (default: ${DEFAULT-VALUE})")
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
      Study study = bind(root);
      if (survival != null) {
        if (models != null) {
          throw new OperatorException(
              OperatorException.WRONG_USE,
              "--study draws its own signatures; leave out --models or --study");
        }
        return survive(study, survival);
      }
      Optional<Population> signed = signed(study);
      if (signed.isPresent()) {
        List<String> more = new ArrayList<>(allAssignments());
        more.add("peers=" + signed.get().size());
        study = bind(Overrides.apply(ConfigFile.parse("overlay", "{}\n"), more));
      }
      StudyRun run =
          new StudyRun(
              study, signed.orElseGet(study::population), new TextFolder(Path.of("")), pool);
      Figures figures = run.run(Console.ofProcess());
      Files.createDirectories(out);
      AtomicFile.writeText(
          out.resolve("overlay.svg"),
          Hierarchy.tree(run.structure().clusters())
              .svg(
                  "Overlay of "
                      + figures.peers()
                      + " peers: clusters of clusters, from the top down",
                  PICTURE_WIDTH));
      AtomicFile.writeText(out.resolve("overlay.json"), Json.document(figures));
      System.out.print(
          json ? Json.document(figures) : figures.text() + "picture: " + out + "/overlay.svg\n");
      if (signed.isPresent()) {
        retention(signed.get(), study);
      }
      return figures.building().faults() == 0 ? ExitCode.DONE : ExitCode.FAILED;
    } catch (Complaint complaint) {
      throw ConfigException.at(root, complaint);
    }
  }

  private void retention(Population signed, Study study) throws IOException {
    Retention retention = Retention.of(signed.models(), study.overlay().signatures());
    AtomicFile.writeText(out.resolve("retention.svg"), retention.svg());
    if (!json) {
      System.out.print(retention.text() + "picture: " + out + "/retention.svg\n");
    }
  }

  private int survive(Study given, String name) throws IOException {
    Progress progress = Console.ofProcess();
    Survival study = new Survival(given, progress);
    Work work =
        switch (name) {
          case "failover" -> new Work(crashes, () -> study.failover(crashes, CRASHES_OF_A_NETWORK));
          case "churn" ->
              each(CHURN_RATES, rate -> study.churning(rate, CHURN_ROUNDS, CHURN_ROUND_SECONDS));
          case "repair" -> new Work(REPAIRS, study::repairs);
          case "drift" -> each(DRIFTS, drift -> study.drifting(DRIFTING_SHARE, drift));
          default ->
              throw new OperatorException(
                  OperatorException.WRONG_USE,
                  "--study " + name + " is not known; write failover, churn, repair or drift");
        };
    progress.begin(name, work.steps(), 0);
    Object figures = work.figures().get();
    progress.end("done");
    Files.createDirectories(out);
    AtomicFile.writeText(out.resolve("overlay-" + name + ".json"), Json.document(figures));
    System.out.print(Json.document(figures));
    return ExitCode.DONE;
  }

  /** What a study measures, and in how many steps. */
  private record Work(long steps, Supplier<Object> figures) {}

  private static Work each(List<Double> values, DoubleFunction<Object> measured) {
    return new Work(
        values.size(), () -> values.stream().map(each -> measured.apply(each)).toList());
  }

  private static Study bind(Mapping root) {
    return new Binder(Experiment.CATALOGUES).bind(Study.class, root);
  }

  private Optional<Population> signed(Study study) throws IOException {
    if (models == null) {
      return Optional.empty();
    }
    if (peers != null) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "--peers and --models exclude each other: the run says how many peers; leave one out");
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
