package io.kindred.node.command;

import io.kindred.node.recording.Replay;
import io.kindred.runtime.command.DataOptions;
import io.kindred.runtime.command.ExitCode;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Replays a recording. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    description = {
      "Replays a node's recorded events on a fresh peer and compares their effects.",
      "A node records with 'record: true'; the first event whose effects differ is" + " shown."
    })
final class NodeReplayCommand implements Callable<Integer> {
  @CommandLine.Mixin private NodeOptions options;
  @CommandLine.Mixin private DataOptions data;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  NodeReplayCommand() {}

  @Override
  public Integer call() {
    Replay.Outcome outcome = options.node().replay(data.files());
    System.out.printf(
        Locale.ROOT,
        "%d events in %d incarnations: %s%n",
        outcome.events(),
        outcome.incarnations(),
        outcome
            .difference()
            .map(each -> "the replay differs at " + each)
            .orElse("all %d effects are equal".formatted(outcome.effects())));
    return outcome.difference().isPresent() ? ExitCode.FAILED : ExitCode.DONE;
  }
}
