package io.kindred.lab.command;

import io.kindred.core.settings.Complaint;
import io.kindred.files.OperatorException;
import io.kindred.files.config.ConfigFile;
import io.kindred.files.json.Json;
import io.kindred.lab.experiment.ExperimentFile;
import io.kindred.lab.report.Comparison;
import io.kindred.lab.report.RunReader;
import io.kindred.lab.run.Fleet;
import io.kindred.lab.run.Fleet.Berth;
import io.kindred.lab.run.Progress;
import io.kindred.lab.run.Run;
import io.kindred.lab.run.StopSignal;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** All nodes of an experiment as processes on this machine. */
@Command(
    name = "fleet",
    mixinStandardHelpOptions = true,
    description = {
      "Runs an experiment as real nodes, one process each, on this machine.",
      "",
      "Keys, certificates, ports, logs and restarts are looked after; the results end in a run folder",
      "like any other, DIR/run.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  kindred fleet up --peers 8 --method semantic-dfl --data glyphs",
      "  kindred fleet up experiments/nodes/eight-nodes.yaml --set rounds=50 --out runs/mine --detach",
      "  kindred fleet status runs/mine",
      "  kindred fleet down runs/mine"
    },
    subcommands = {FleetCommand.Up.class, FleetCommand.StatusOf.class, FleetCommand.Down.class})
final class FleetCommand implements Runnable {
  private static final String HOME = "runs/fleet";

  @CommandLine.Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // the command line sets the field before anything runs
  FleetCommand() {}

  @Override
  public void run() {
    spec.commandLine().usage(System.out);
  }

  /** Starts nodes. */
  @Command(
      name = "up",
      mixinStandardHelpOptions = true,
      description = {
        "Starts a fleet, waits until all rounds are gone, stops it and gathers the results.",
        "",
        "A folder that holds a fleet already goes on with it: nodes that do not run are started again.",
        "Ctrl-C stops all nodes; the same command goes on.",
        ""
      })
  static final class Up implements Callable<Integer> {
    private static final int MILLIS_BETWEEN_LOOKS = 200;

    @Parameters(
        arity = "0..1",
        paramLabel = "FILE",
        description = "experiment file (default: a small one that comes with the program)")
    private @Nullable Path file;

    @Option(names = "--peers", paramLabel = "N", description = "how many nodes")
    private @Nullable Integer peers;

    @Option(names = "--method", paramLabel = "NAME", description = "the method that they run")
    private @Nullable String method;

    @Option(names = "--data", paramLabel = "NAME", description = "the data set that they share out")
    private @Nullable String dataset;

    @Option(names = "--profile", paramLabel = "NAME", description = "a profile of the file")
    private @Nullable String profile;

    @Option(
        names = "--set",
        paramLabel = "KEY=VALUE",
        description = "set a key of the experiment; may be repeated")
    private List<String> assignments = new ArrayList<>();

    @Option(
        names = "--out",
        paramLabel = "DIR",
        defaultValue = HOME,
        description = "folder of the fleet (default: ${DEFAULT-VALUE})")
    private Path home;

    @Option(
        names = "--node",
        paramLabel = "KEY=VALUE",
        description =
            "set a key of every node's configuration, such as packing.values=bfloat16; may be"
                + " repeated")
    private List<String> nodeKeys = new ArrayList<>();

    @Option(names = "--record", description = "let every node write its events down for a replay")
    private boolean records;

    @Option(names = "--detach", description = "return when all are started, and leave them running")
    private boolean detach;

    @Option(names = "--json", description = "print the summary as one JSON document")
    private boolean json;

    @Mixin private DataOptions data;

    @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
    Up() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
      Fleet fleet = Fleet.isIn(home) ? reopened() : created();
      int started =
          fleet.start(
              program(fleet.experiment().peers()), data.folder().map(Up::named).orElse(List.of()));
      if (detach) {
        System.out.println(
            started + " nodes are started; look with: ./kindred fleet status " + home);
        return ExitCode.DONE;
      }
      try (StopSignal stop = StopSignal.ofProcess()) {
        boolean finished = await(fleet, stop);
        fleet.stop();
        if (!finished) {
          System.err.println("stopped; go on with: ./kindred fleet up --out " + home);
          return ExitCode.STOPPED;
        }
        gather(fleet);
      }
      show(fleet, json);
      return ExitCode.DONE;
    }

    private Fleet reopened() {
      if (file != null
          || peers != null
          || method != null
          || dataset != null
          || !assignments.isEmpty()
          || !nodeKeys.isEmpty()) {
        throw new OperatorException(
            OperatorException.WRONG_USE,
            home + " holds a fleet already; go on with it by --out alone, or name another folder");
      }
      return Fleet.open(home);
    }

    private Fleet created() throws IOException {
      List<String> all = new ArrayList<>();
      add(all, "peers", peers);
      add(all, "method", method);
      add(all, "dataset", dataset);
      all.addAll(assignments);
      ExperimentFile read =
          file == null
              ? ExperimentFile.of(
                  ConfigFile.parse("fleet.yaml", DemoCommand.resource("fleet.yaml")),
                  Optional.ofNullable(profile),
                  all)
              : ExperimentFile.read(file, Optional.ofNullable(profile), all);
      if (read.isGrid()) {
        throw new OperatorException(
            OperatorException.WRONG_USE,
            file + " describes several runs; name one without sweep and seeds");
      }
      try {
        return Fleet.create(home, read.experiment(), nodeLines());
      } catch (Complaint complaint) {
        throw read.locate(complaint);
      }
    }

    private List<String> nodeLines() {
      List<String> lines = new ArrayList<>();
      if (records) {
        lines.add("record: true");
      }
      SortedMap<String, String> grouped = new TreeMap<>();
      for (String each : nodeKeys) {
        int equals = each.indexOf('=');
        if (equals < 1) {
          throw new OperatorException(
              OperatorException.WRONG_USE,
              "'--node " + each + "' names no value; write --node KEY=VALUE");
        }
        String key = each.substring(0, equals);
        String value = each.substring(equals + 1);
        int dot = key.indexOf('.');
        if (dot < 0) {
          lines.add(key + ": " + value);
        } else {
          grouped.merge(
              key.substring(0, dot),
              key.substring(dot + 1) + ": " + value,
              (one, other) -> one + ", " + other);
        }
      }
      grouped.forEach((key, inner) -> lines.add(key + ": {" + inner + "}"));
      return lines;
    }

    private static void add(List<String> assignments, String key, @Nullable Object value) {
      if (value != null) {
        assignments.add(key + "=" + value);
      }
    }

    private static List<String> named(Path folder) {
      return List.of("--data-dir", folder.toAbsolutePath().toString());
    }

    /** What started this program, with less memory for each of many. */
    private static List<String> program(int nodes) {
      List<String> command = new ArrayList<>();
      command.add(ProcessHandle.current().info().command().orElse("java"));
      for (String each : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
        if (!each.startsWith("-XX:+Use") && !each.startsWith("-XX:MaxRAMPercentage")) {
          command.add(each);
        }
      }
      command.add("-XX:+UseSerialGC");
      command.add("-XX:MaxRAMPercentage=" + Math.max(2, 70 / nodes));
      command.addAll(
          List.of("-cp", System.getProperty("java.class.path"), Kindred.class.getName()));
      return command;
    }

    /** Until all rounds are gone, or nobody wants to wait any longer. */
    private static boolean await(Fleet fleet, StopSignal stop) throws InterruptedException {
      int rounds = fleet.experiment().rounds();
      Progress progress = Console.ofProcess();
      int shown = 0;
      List<Berth> berths = fleet.berths();
      progress.begin("fleet", (long) rounds * berths.size(), 0);
      while (!stop.requested() && !berths.stream().allMatch(each -> each.done(rounds))) {
        for (Berth each : berths) {
          if (!each.alive()) {
            fleet.stop();
            progress.end("failed");
            throw new OperatorException(
                OperatorException.FAILED,
                "node %d ended: %s; its log is %s"
                    .formatted(
                        each.number(), fleet.lastWords(each.number()), fleet.log(each.number())));
          }
        }
        int gone = berths.stream().mapToInt(each -> Math.min(rounds, each.round())).sum();
        for (; shown < gone; shown++) {
          progress.deployed();
        }
        if (!stop.await(MILLIS_BETWEEN_LOOKS)) {
          berths = fleet.berths();
        }
      }
      progress.end(stop.requested() ? "stopped" : "done");
      return !stop.requested();
    }
  }

  /** Puts the results of all nodes together and draws them as those of one run. */
  private static void gather(Fleet fleet) throws IOException {
    fleet.gather();
    Run.draw(fleet.results());
  }

  private static void show(Fleet fleet, boolean json) throws IOException {
    if (json) {
      System.out.print(Files.readString(fleet.results().summary()));
      return;
    }
    System.out.print(
        Comparison.of(List.of(new RunReader().read(fleet.results().path()))).table().text());
    System.out.println(
        "results: " + fleet.results().path() + "   picture: " + fleet.results().report());
  }

  /** The folder that two verbs take. */
  static final class Named {
    @Parameters(
        arity = "0..1",
        paramLabel = "DIR",
        defaultValue = HOME,
        description = "folder of the fleet (default: ${DEFAULT-VALUE})")
    private Path home;

    @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
    Named() {}

    Fleet fleet() {
      return Fleet.open(home);
    }
  }

  /** Tells how all nodes are. */
  @Command(
      name = "status",
      mixinStandardHelpOptions = true,
      description = "Tells how the nodes of a fleet are.")
  static final class StatusOf implements Callable<Integer> {
    @Mixin private Named named;

    @Option(names = "--json", description = "print one JSON document")
    private boolean json;

    @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
    StatusOf() {}

    @Override
    public Integer call() {
      Fleet fleet = named.fleet();
      List<Berth> berths = fleet.berths();
      if (json) {
        System.out.print(Json.document(berths));
        return ExitCode.DONE;
      }
      System.out.printf(
          Locale.ROOT,
          "%-5s %-9s %-8s %7s %14s %14s %6s %s%n",
          "peer",
          "state",
          "process",
          "round",
          "sent bytes",
          "received",
          "known",
          "refused");
      for (Berth each : berths) {
        System.out.print(row(each, fleet.experiment().rounds()));
      }
      return ExitCode.DONE;
    }

    private static String row(Berth berth, int rounds) {
      long sent = total(berth, "sentModel") + total(berth, "sentControl");
      long received = total(berth, "receivedModel") + total(berth, "receivedControl");
      return String.format(
          Locale.ROOT,
          "%-5d %-9s %-8s %7s %14d %14d %6d %s%n",
          berth.number(),
          berth.state().toLowerCase(Locale.ROOT),
          berth.alive() ? Long.toString(berth.process()) : "-",
          berth.round() + "/" + rounds,
          sent,
          received,
          berth.status().map(each -> each.path("known").asInt(0)).orElse(0),
          berth
              .status()
              .filter(each -> !each.get("refused").isEmpty())
              .map(each -> each.get("refused").toString())
              .orElse("nothing"));
    }

    private static long total(Berth berth, String name) {
      return berth.status().map(each -> each.get("totals").get(name).asLong()).orElse(0L);
    }
  }

  /** Stops nodes. */
  @Command(
      name = "down",
      mixinStandardHelpOptions = true,
      description = "Stops a fleet and gathers what results there are.")
  static final class Down implements Callable<Integer> {
    @Mixin private Named named;

    @Option(names = "--json", description = "print the summary as one JSON document")
    private boolean json;

    @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
    Down() {}

    @Override
    public Integer call() throws IOException {
      Fleet fleet = named.fleet();
      int stopped = fleet.stop();
      if (!json) {
        System.out.println(stopped + " nodes are stopped");
      }
      gather(fleet);
      show(fleet, json);
      return ExitCode.DONE;
    }
  }
}
