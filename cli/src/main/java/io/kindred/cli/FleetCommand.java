package io.kindred.cli;

import io.kindred.cli.progress.ConsoleProgress;
import io.kindred.cli.progress.TerminalColumns;
import io.kindred.core.config.SettingException;
import io.kindred.experiment.Run;
import io.kindred.node.assembly.Fleet;
import io.kindred.node.assembly.Fleet.NodeProcess;
import io.kindred.report.Comparison;
import io.kindred.report.run.RunReader;
import io.kindred.runtime.Progress;
import io.kindred.runtime.StopSignal;
import io.kindred.runtime.command.DataOptions;
import io.kindred.runtime.command.ExitCode;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.storage.OperatorException;
import io.kindred.storage.config.ConfigFile;
import io.kindred.storage.json.Json;
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

/** Runs all nodes of an experiment as processes on this machine. */
@Command(
    name = "fleet",
    mixinStandardHelpOptions = true,
    description = {
      "Runs an experiment as real nodes, one process each, on this machine.",
      "",
      "Creates the nodes' keys and certificates, chooses their ports, keeps their logs, and restarts",
      "stopped nodes when it is started again. The results are in DIR/run, a run folder like that",
      "of a simulation.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  kindred fleet up --peers 8 --method semantic-dfl --data glyphs",
      "  kindred fleet up experiments/nodes/eight-nodes.yaml --set rounds=50 \\",
      "    --out runs/mine --detach",
      "  kindred fleet status runs/mine",
      "  kindred fleet down runs/mine"
    },
    subcommands = {FleetCommand.Up.class, FleetCommand.Status.class, FleetCommand.Down.class})
final class FleetCommand implements Runnable {
  private static final String DEFAULT_FOLDER = "runs/fleet";

  @CommandLine.Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // the command line sets the field before anything runs
  FleetCommand() {}

  @Override
  public void run() {
    spec.commandLine().usage(System.out);
  }

  /** Starts the nodes. */
  @Command(
      name = "up",
      mixinStandardHelpOptions = true,
      description = {
        "Starts a fleet, waits until all nodes have finished all rounds, stops the fleet and collects",
        "the results.",
        "",
        "If the folder already holds a fleet, that fleet is resumed: nodes that are not running are",
        "started again. Ctrl-C stops all nodes; 'kindred fleet up --out DIR' resumes them.",
        ""
      })
  static final class Up implements Callable<Integer> {
    private static final int POLL_MILLIS = 200;

    @Parameters(
        arity = "0..1",
        paramLabel = "FILE",
        description = "experiment file (default: a small built-in experiment)")
    private @Nullable Path file;

    @Option(names = "--peers", paramLabel = "N", description = "number of nodes")
    private @Nullable Integer peers;

    @Option(names = "--method", paramLabel = "NAME", description = "method that the nodes run")
    private @Nullable String method;

    @Option(
        names = "--data",
        paramLabel = "NAME",
        description = "data set to divide among the nodes")
    private @Nullable String dataset;

    @Option(names = "--profile", paramLabel = "NAME", description = "apply a profile of the file")
    private @Nullable String profile;

    @Option(
        names = "--set",
        paramLabel = "KEY=VALUE",
        description = "set a key of the experiment; may be repeated")
    private List<String> assignments = new ArrayList<>();

    @Option(
        names = "--out",
        paramLabel = "DIR",
        defaultValue = DEFAULT_FOLDER,
        description = "folder of the fleet (default: ${DEFAULT-VALUE})")
    private Path home;

    @Option(
        names = "--node",
        paramLabel = "KEY=VALUE",
        description =
            "set a key of every node's configuration, such as packing.values=bfloat16; may be"
                + " repeated")
    private List<String> nodeKeys = new ArrayList<>();

    @Option(names = "--record", description = "record the events of every node for a replay")
    private boolean recordEvents;

    @Option(
        names = "--detach",
        description = "return when all nodes are started, and leave them running")
    private boolean detach;

    @Option(names = "--json", description = "print the summary as one JSON document")
    private boolean json;

    @Mixin private DataOptions data;

    @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
    Up() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
      Fleet fleet = Fleet.existsIn(home) ? openExisting() : createNew();
      int started = fleet.start(javaCommand(fleet.experiment().peers()));
      if (detach) {
        System.out.println(
            started + " nodes are started; show their status with: ./kindred fleet status " + home);
        return ExitCode.DONE;
      }
      try (StopSignal stop = StopSignal.ofProcess()) {
        boolean finished = await(fleet, stop);
        fleet.stop();
        if (!finished) {
          System.err.println("stopped; resume with: ./kindred fleet up --out " + home);
          return ExitCode.STOPPED;
        }
        gather(fleet);
      }
      show(fleet, json);
      return ExitCode.DONE;
    }

    private Fleet openExisting() {
      if (file != null
          || peers != null
          || method != null
          || dataset != null
          || !assignments.isEmpty()
          || !nodeKeys.isEmpty()) {
        throw new OperatorException(
            OperatorException.WRONG_USE,
            home + " already holds a fleet; resume it with --out alone, or name another folder");
      }
      return Fleet.open(home);
    }

    private Fleet createNew() throws IOException {
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
            file + " describes several runs; name a file without sweep and seeds");
      }
      try {
        return Fleet.create(home, read.experiment(), data.files(), nodeLines());
      } catch (SettingException invalid) {
        throw read.locate(invalid);
      }
    }

    private List<String> nodeLines() {
      List<String> lines = new ArrayList<>();
      if (recordEvents) {
        lines.add("record: true");
      }
      SortedMap<String, String> grouped = new TreeMap<>();
      for (String each : nodeKeys) {
        int equals = each.indexOf('=');
        if (equals < 1) {
          throw new OperatorException(
              OperatorException.WRONG_USE,
              "'--node " + each + "' has no value; write --node KEY=VALUE");
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

    /** The command that started this program, with the memory divided among the nodes. */
    private static List<String> javaCommand(int nodes) {
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

    /** Waits until all nodes have finished all rounds, or until the user asks to stop. */
    private static boolean await(Fleet fleet, StopSignal stop) throws InterruptedException {
      int rounds = fleet.experiment().rounds();
      Progress progress = ConsoleProgress.ofProcess();
      int shown = 0;
      List<NodeProcess> nodes = fleet.nodeProcesses();
      progress.begin("fleet", (long) rounds * nodes.size(), 0);
      while (!stop.requested() && !nodes.stream().allMatch(each -> each.hasFinished(rounds))) {
        for (NodeProcess each : nodes) {
          if (!each.alive()) {
            fleet.stop();
            progress.end("failed");
            throw new OperatorException(
                OperatorException.FAILED,
                "node %d ended while the fleet was running: %s; its log is %s"
                    .formatted(
                        each.number(), fleet.lastLogLine(each.number()), fleet.log(each.number())));
          }
        }
        int completed = nodes.stream().mapToInt(each -> Math.min(rounds, each.round())).sum();
        for (; shown < completed; shown++) {
          progress.stepCompleted();
        }
        if (!stop.await(POLL_MILLIS)) {
          nodes = fleet.nodeProcesses();
        }
      }
      progress.end(stop.requested() ? "stopped" : "done");
      return !stop.requested();
    }
  }

  /** Merges the results of all nodes and writes the report as for one run. */
  private static void gather(Fleet fleet) throws IOException {
    fleet.collectResults();
    Run.writeReport(fleet.results());
  }

  private static void show(Fleet fleet, boolean json) throws IOException {
    if (json) {
      System.out.print(Files.readString(fleet.results().summary()));
      return;
    }
    System.out.print(
        Comparison.of(List.of(new RunReader().read(fleet.results().path())))
            .table()
            .text(TerminalColumns.ofTables()));
    RunCommand.printPlaces(fleet.results().path(), fleet.results().report());
  }

  /** The fleet's folder, an argument of two commands. */
  static final class FleetFolder {
    @Parameters(
        arity = "0..1",
        paramLabel = "DIR",
        defaultValue = DEFAULT_FOLDER,
        description = "folder of the fleet (default: ${DEFAULT-VALUE})")
    private Path home;

    @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
    FleetFolder() {}

    Fleet fleet() {
      return Fleet.open(home);
    }
  }

  /** Shows the status of all nodes. */
  @Command(
      name = "status",
      mixinStandardHelpOptions = true,
      description = "Shows the state, the round and the traffic of every node of a fleet.")
  static final class Status implements Callable<Integer> {
    @Mixin private FleetFolder folder;

    @Option(names = "--json", description = "print one JSON document")
    private boolean json;

    @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
    Status() {}

    @Override
    public Integer call() {
      Fleet fleet = folder.fleet();
      List<NodeProcess> nodes = fleet.nodeProcesses();
      if (json) {
        System.out.print(Json.document(nodes));
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
      for (NodeProcess each : nodes) {
        System.out.print(row(each, fleet.experiment().rounds()));
      }
      return ExitCode.DONE;
    }

    private static String row(NodeProcess process, int rounds) {
      long sent = total(process, "sentModel") + total(process, "sentControl");
      long received = total(process, "receivedModel") + total(process, "receivedControl");
      return String.format(
          Locale.ROOT,
          "%-5d %-9s %-8s %7s %14d %14d %6d %s%n",
          process.number(),
          process.state().toLowerCase(Locale.ROOT),
          process.alive() ? Long.toString(process.process()) : "-",
          process.round() + "/" + rounds,
          sent,
          received,
          process.status().map(each -> each.path("known").asInt(0)).orElse(0),
          process
              .status()
              .filter(each -> !each.get("refused").isEmpty())
              .map(each -> each.get("refused").toString())
              .orElse("nothing"));
    }

    private static long total(NodeProcess process, String name) {
      return process.status().map(each -> each.get("totals").get(name).asLong()).orElse(0L);
    }
  }

  /** Stops the nodes. */
  @Command(
      name = "down",
      mixinStandardHelpOptions = true,
      description = "Stops a fleet and collects the results so far.")
  static final class Down implements Callable<Integer> {
    @Mixin private FleetFolder folder;

    @Option(names = "--json", description = "print the summary as one JSON document")
    private boolean json;

    @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
    Down() {}

    @Override
    public Integer call() throws IOException {
      Fleet fleet = folder.fleet();
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
