package io.kindred.node.command;

import io.kindred.node.assembly.NodeRun;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The configuration that several verbs take. */
final class NodeOptions {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      required = true,
      description = "the node's configuration (YAML)")
  private Path file;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  NodeOptions() {}

  NodeRun node() {
    return new NodeRun(file);
  }
}
