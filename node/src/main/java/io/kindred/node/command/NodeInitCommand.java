package io.kindred.node.command;

import io.kindred.node.identity.Identity;
import io.kindred.runtime.command.ExitCode;
import io.kindred.storage.OperatorException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Creates the keys of a node. */
@Command(
    name = "init",
    mixinStandardHelpOptions = true,
    description = "Creates the keys of a node and a request for its certificate.")
final class NodeInitCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "folder for the identity")
  private Path folder;

  @Option(
      names = "--network",
      paramLabel = "ID",
      description =
          "network to name in the request, for an authority other than 'kindred node cert'")
  private @Nullable String network;

  @Option(names = "--peer", paramLabel = "N", description = "peer number to name in the request")
  private @Nullable Integer peer;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  NodeInitCommand() {}

  @Override
  public Integer call() {
    if ((network == null) != (peer == null)) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "a request names both a network and a peer, or neither; give --network and"
              + " --peer, or leave both out");
    }
    Identity.create(
        folder,
        network == null || peer == null
            ? Optional.empty()
            : Optional.of(CertIssueCommand.requireMember(network, peer)));
    System.out.println(
        "keys are in %s; sign them with: ./kindred node cert issue %s --authority DIR --network ID --peer N"
            .formatted(folder, folder));
    return ExitCode.DONE;
  }
}
