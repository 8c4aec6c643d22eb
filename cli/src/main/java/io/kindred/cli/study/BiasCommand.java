package io.kindred.cli.study;

import io.kindred.cli.progress.TerminalColumns;
import io.kindred.runtime.command.ExitCode;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.OperatorException;
import io.kindred.storage.json.Json;
import io.kindred.studies.bias.BiasStudy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows the effect of mixing with neighbours on a minority. */
@Command(
    name = "bias",
    mixinStandardHelpOptions = true,
    description = {
      "Shows the effect of mixing with graph neighbours on peers in two clusters with quadratic",
      "losses.",
      "",
      "Measures the mass that stays in the smaller cluster after some mixing steps, and how far the",
      "peers end from their own minima. The graphs are a ring, a random regular graph, an expander, a",
      "complete graph, and a graph that links each peer to the most similar peers (SemanticDFL,",
      "section 2.3 and theorem 2). The last columns are the terms of theorem 1 for peers that average",
      "the gradients of their neighbours: recall of the most similar peers, alignment with them, the",
      "effect of selecting others, the mismatch of both, and the theorem's bound of the squared",
      "gradient. Writes bias.csv, staying.svg and bias.svg.",
      ""
    },
    footer = {"", "Example:", "  kindred bias --peers 100 --minority 0.1"})
public final class BiasCommand implements Callable<Integer> {
  @Option(
      names = "--peers",
      paramLabel = "N",
      description = "number of peers (default: ${DEFAULT-VALUE})")
  private int peers = 60;

  @Option(
      names = "--minority",
      paramLabel = "SHARE",
      description = "share of the peers in the smaller cluster (default: ${DEFAULT-VALUE})")
  private double minority = 0.2;

  @Option(
      names = "--separation",
      paramLabel = "DELTA",
      description = "distance between the two cluster centers (default: ${DEFAULT-VALUE})")
  private double separation = 1;

  @Option(
      names = "--dispersion",
      paramLabel = "EPSILON",
      description = "deviation of minima around their center (default: ${DEFAULT-VALUE})")
  private double dispersion = 0.1;

  @Option(
      names = "--degree",
      paramLabel = "D",
      description = "neighbours of a peer, an even number (default: ${DEFAULT-VALUE})")
  private int degree = 6;

  @Option(names = "--seed", paramLabel = "N", description = "seed (default: ${DEFAULT-VALUE})")
  private long seed = 1;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "folder to write to (default: ${DEFAULT-VALUE})")
  private Path out = Path.of("runs", "bias");

  @Option(names = "--json", description = "print one JSON document")
  private boolean json;

  BiasCommand() {}

  @Override
  public Integer call() throws IOException {
    if (peers < degree + 1 || peers > 1000) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "--peers " + peers + " must be from " + (degree + 1) + " to 1000");
    }
    if (!(minority > 0 && minority < 1)) {
      throw new OperatorException(
          OperatorException.WRONG_USE, "--minority " + minority + " must lie between 0 and 1");
    }
    BiasStudy study = BiasStudy.of(peers, minority, separation, dispersion, degree, seed);
    System.out.print(
        json
            ? Json.document(study.table().mappings())
            : study.table().text(TerminalColumns.ofTables()) + "\n");
    Files.createDirectories(out);
    RunFolder.writeText(out.resolve("bias.csv"), study.table().csv());
    RunFolder.writeText(out.resolve("staying.svg"), study.retainedMassChart());
    RunFolder.writeText(out.resolve("bias.svg"), study.biasChart());
    return ExitCode.DONE;
  }
}
