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

/** Makes keys. */
@Command(
    name = "init",
    mixinStandardHelpOptions = true,
    description = "Makes a node's keys and a request for its certificate.")
final class NodeInitCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "folder for the identity")
  private Path folder;

  @Option(
      names = "--network",
      paramLabel = "ID",
      description = "ask for a place in this network: for an authority that is not ours")
  private @Nullable String network;

  @Option(names = "--peer", paramLabel = "N", description = "ask for this peer's place")
  private @Nullable Integer peer;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  NodeInitCommand() {}

  @Override
  public Integer call() {
    if ((network == null) != (peer == null)) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "a place is a network and a peer; give --network and --peer, or neither");
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
