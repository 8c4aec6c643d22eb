package io.kindred.node.command;

import io.kindred.node.assembly.NodeRun;
import io.kindred.node.log.LogOutput;
import io.kindred.node.log.NodeLog;
import io.kindred.runtime.StopSignal;
import io.kindred.runtime.command.DataOptions;
import io.kindred.runtime.command.ExitCode;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
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
    node.requireBoundedMemory();
    Consumer<String> screen = System.err::println;
    try (LogOutput _ = node.openLog(screen);
        StopSignal stop = StopSignal.ofProcess()) {
      node.execute(stop, NodeLog.ofProcess(), data.files());
    }
    return ExitCode.DONE;
  }
}
