package io.kindred.node.command;

import io.kindred.node.assembly.PreflightFinding;
import io.kindred.runtime.command.DataOptions;
import io.kindred.runtime.command.ExitCode;
import io.kindred.storage.json.Json;
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
      "Checks before a start what a node needs, and shows what to fix: keys,"
          + " certificate, clock, port,",
      "neighbours, data, trainer and disk. Nothing is written. Exit code 2 when something must be fixed."
    })
final class NodePreflightCommand implements Callable<Integer> {
  @CommandLine.Mixin private NodeOptions options;
  @CommandLine.Mixin private DataOptions data;

  @Option(names = "--json", description = "print one JSON document")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  NodePreflightCommand() {}

  private record Report(boolean ready, List<PreflightFinding> checks) {}

  @Override
  public Integer call() {
    List<PreflightFinding> findings = options.node().preflight(data.files());
    boolean ready = findings.stream().noneMatch(each -> each.level() == PreflightFinding.Level.FIX);
    if (json) {
      System.out.print(Json.document(new Report(ready, findings)));
    } else {
      for (PreflightFinding each : findings) {
        System.out.printf(
            "%-5s %-16s %s%n",
            each.level().name().toLowerCase(Locale.ROOT), each.check(), each.text());
      }
    }
    return ready ? ExitCode.DONE : ExitCode.WRONG_USE;
  }
}
