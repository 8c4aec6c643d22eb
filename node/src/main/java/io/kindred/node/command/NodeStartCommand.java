package io.kindred.node.command;

import io.kindred.node.assembly.NodeRun;
import io.kindred.node.log.Log;
import io.kindred.runtime.StopSignal;
import io.kindred.runtime.command.DataOptions;
import io.kindred.runtime.command.ExitCode;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Runs a node. */
@Command(
    name = "start",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a node until it is stopped; a node that ran before continues from its"
          + " saved state.",
      "A node that has completed all rounds keeps running and serves the nodes that" + " have not."
    })
final class NodeStartCommand implements Callable<Integer> {
  @CommandLine.Mixin private NodeOptions options;
  @CommandLine.Mixin private DataOptions data;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  NodeStartCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    NodeRun node = options.node();
    Log log = Log.lines(node.log(), Instant::now, System.err::println);
    try (StopSignal stop = StopSignal.ofProcess()) {
      node.execute(stop, log, data.files());
    }
    return ExitCode.DONE;
  }
}
