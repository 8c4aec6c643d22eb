package io.kindred.lab.command;

import io.kindred.files.json.Json;
import io.kindred.lab.run.NodeFinding;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Checks before a start. */
@Command(
    name = "preflight",
    mixinStandardHelpOptions = true,
    description = {
      "Checks before a start what a node needs, and says what to fix: keys, certificate, clock, port,",
      "neighbours, data, trainer and disk. Nothing is written. Exit code 2 when something must be fixed."
    })
final class NodePreflightCommand implements Callable<Integer> {
  @CommandLine.Mixin private NodeOptions configured;
  @CommandLine.Mixin private DataOptions data;

  @Option(names = "--json", description = "print one JSON document")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  NodePreflightCommand() {}

  private record Report(boolean ready, List<NodeFinding> checks) {}

  @Override
  public Integer call() {
    List<NodeFinding> findings = configured.node().preflight(data.files());
    boolean ready = findings.stream().noneMatch(each -> each.level() == NodeFinding.Level.FIX);
    if (json) {
      System.out.print(Json.document(new Report(ready, findings)));
    } else {
      for (NodeFinding each : findings) {
        System.out.printf(
            "%-5s %-16s %s%n",
            each.level().name().toLowerCase(Locale.ROOT), each.check(), each.text());
      }
    }
    return ready ? ExitCode.DONE : ExitCode.WRONG_USE;
  }
}
