package io.kindred.cli.study;

import io.kindred.cli.progress.TerminalColumns;
import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStreams;
import io.kindred.methods.hfl.Hfl;
import io.kindred.methods.hfl.formation.FormationSettings;
import io.kindred.methods.hfl.formation.NoClusteringException;
import io.kindred.runtime.command.ExitCode;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.storage.OperatorException;
import io.kindred.storage.config.ConfigFile;
import io.kindred.storage.disk.AtomicFile;
import io.kindred.storage.json.Json;
import io.kindred.studies.hfl.FormationStudy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Forms clusters once and shows them before and after the search. */
@Command(
    name = "form",
    mixinStandardHelpOptions = true,
    description = {
      "Forms clusters once, on a random or a given network, and shows the clusters before and after",
      "the search for better ones.",
      "",
      "Each client has classes of its own, and its update direction is drawn from the directions of",
      "these classes. theta is the angle between the direction of a cluster and the direction of all",
      "clients together; T is the time of a round with the best head. Writes clusters.svg and",
      "clusters.csv.",
      ""
    },
    footer = {
      "",
      "Settings worth trying (with --set):",
      "  method.clusters.way             swap, spectral, adapted-spectral, label-skew,",
      "                                  random",
      "  method.clusters.swap.solution   pair (1.1), individual (1.2),",
      "                                  angle-ratio (2), time-ratio (3)",
      "  method.clusters.swap.choose     random or best",
      "  method.clusters.swap.start      random or spectral",
      "  method.clusters.count           4; least 3 and most half of the clients",
      "  method.feature                  difference, or skew to use counts of labels",
      "  network.links.down              probability that two clients have no link"
    })
final class HflFormCommand implements Callable<Integer> {
  private static final String DEFAULT_EXPERIMENT =
      """
      method: hfl
      topology: complete
      network: {links: {name: varied, leastMbps: 1, mostMbps: 5}}
      """;

  @Option(
      names = "--clients",
      paramLabel = "N",
      defaultValue = "20",
      description = "number of clients of a random network (default: ${DEFAULT-VALUE})")
  private int clients;

  @Option(
      names = "--links",
      paramLabel = "FILE",
      description =
          "file with a given network: one line per client, with the megabits per second of its links"
              + " to all clients; 0 means no link")
  private @Nullable Path links;

  @Option(
      names = "--megabits",
      paramLabel = "SIZE",
      defaultValue = "10",
      description = "size of a model in megabits (default: ${DEFAULT-VALUE})")
  private double megabits;

  @Option(
      names = "--alpha",
      paramLabel = "A",
      defaultValue = "0.1",
      description = "evenness of each client's classes (default: ${DEFAULT-VALUE})")
  private double alpha;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "set a key of method or network; may be repeated")
  private List<String> assignments = new ArrayList<>();

  @Option(names = "--seed", paramLabel = "N", description = "seed of all random draws (default: 1)")
  private long seed = 1;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "runs/hfl",
      description = "folder for the picture and the table (default: ${DEFAULT-VALUE})")
  private Path out;

  @Option(names = "--json", description = "print one JSON document and write nothing")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  HflFormCommand() {}

  @Override
  public Integer call() throws IOException {
    if (!(megabits > 0) || !(alpha > 0)) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "--megabits and --alpha must be above 0; leave them out for the defaults");
    }
    FormationStudy study = study();
    if (json) {
      System.out.print(Json.document(study.formation()));
      return ExitCode.DONE;
    }
    System.out.print(study.table().text(TerminalColumns.ofTables()));
    System.out.println(study.summary());
    write("clusters.svg", study.svg(study.situation().clients() + " clients in clusters"));
    write("clusters.csv", study.table().csv());
    return ExitCode.DONE;
  }

  private FormationStudy study() throws IOException {
    RandomStreams streams = new RandomStreams(seed);
    double[][] given = links == null ? new double[0][] : RateMatrix.read(links);
    int count = links == null ? clients : given.length;
    List<String> all = new ArrayList<>(assignments);
    all.add("peers=" + count);
    all.add("seed=" + seed);
    ExperimentFile file =
        ExperimentFile.of(
            ConfigFile.parse("kindred hfl form", DEFAULT_EXPERIMENT), Optional.empty(), all);
    Experiment experiment = file.experiment();
    if (!(experiment.method() instanceof Hfl method)) {
      throw file.locate(
          new SettingException(
              "method", "only the method hfl forms clusters", "write method: hfl"));
    }
    FormationSettings rule = method.clusters();
    float[][] sending = new float[count][count];
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < count; j++) {
        double rate =
            links == null
                ? experiment.network().links().between(i, j, 0, streams).bytesPerSecond() * 8e-6
                : given[i][j];
        sending[i][j] = i == j ? 0 : rate > 0 ? (float) (megabits / rate) : Float.POSITIVE_INFINITY;
      }
    }
    FormationStudy.SyntheticClients syntheticClients =
        new FormationStudy.SyntheticClients(
            alpha, 10, 64, 8, 25, method.feature() == Hfl.Feature.SKEW);
    try {
      return FormationStudy.of(syntheticClients.drawSituation(sending, streams), rule, streams);
    } catch (NoClusteringException none) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          none.problem() + "; allow other sizes or another number of clusters");
    }
  }

  private void write(String name, String text) throws IOException {
    Path target = Files.createDirectories(out).resolve(name);
    AtomicFile.writeText(target, text);
    System.out.println("wrote " + target);
  }
}
