package io.kindred.lab.command;

import io.kindred.node.identity.Identity;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Makes keys. */
@Command(
    name = "init",
    mixinStandardHelpOptions = true,
    description = "Makes a node's keys and a request for its certificate.")
final class NodeInitCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "folder for the identity")
  private Path folder;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  NodeInitCommand() {}

  @Override
  public Integer call() {
    Identity.create(folder);
    System.out.println(
        "keys are in %s; sign them with: ./kindred node cert issue %s --authority DIR --network ID --peer N"
            .formatted(folder, folder));
    return ExitCode.DONE;
  }
}
