package io.kindred.lab.command;

import io.kindred.core.PeerId;
import io.kindred.files.OperatorException;
import io.kindred.files.json.Json;
import io.kindred.lab.run.NodeRun;
import io.kindred.lab.run.StopSignal;
import io.kindred.node.identity.Authority;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.node.recording.Replay;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** One peer in one process, talking to others over mutual TLS. */
@Command(
    name = "node",
    mixinStandardHelpOptions = true,
    description = {
      "Runs one peer of an experiment as a process of its own, over mutual TLS.",
      "",
      "Every node has a key, a certificate that says which peer of which network it is, and a",
      "configuration that names the experiment and where its neighbours are.",
      ""
    },
    footer = {
      "",
      "From nothing to a running node; the authority's folder 'ca' belongs on no node:",
      "  kindred node cert ca ca",
      "  kindred node init node-0/identity",
      "  kindred node cert issue node-0/identity --authority ca --network glyphs --peer 0",
      "  kindred node start --config node-0/node.yaml",
      "",
      "node-0/node.yaml, whose paths start from its own folder:",
      "  experiment: ../experiment.yaml",
      "  peer: 0",
      "  listen: 127.0.0.1:7400",
      "  neighbours: {1: 127.0.0.1:7401, 2: 127.0.0.1:7402}",
      "",
      "Every key, and what is refused: docs/how-to/run-real-nodes.md"
    },
    subcommands = {
      NodeCommand.Init.class,
      NodeCommand.Cert.class,
      NodeCommand.Start.class,
      NodeCommand.Status.class,
      NodeCommand.ReplayRecording.class
    })
final class NodeCommand implements Runnable {
  @CommandLine.Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // the command line sets the field before anything runs
  NodeCommand() {}

  @Override
  public void run() {
    spec.commandLine().usage(System.out);
  }

  /** Makes keys. */
  @Command(
      name = "init",
      mixinStandardHelpOptions = true,
      description = "Makes a node's keys and a request for its certificate.")
  static final class Init implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "folder for the identity")
    private Path folder;

    @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
    Init() {}

    @Override
    public Integer call() {
      Identity.create(folder);
      System.out.println(
          "keys are in %s; sign them with: ./kindred node cert issue %s --authority DIR --network ID --peer N"
              .formatted(folder, folder));
      return ExitCode.DONE;
    }
  }

  /** Everything about certificates. */
  @Command(
      name = "cert",
      mixinStandardHelpOptions = true,
      description = "Makes an authority, signs certificates and shows them.",
      subcommands = {MakeAuthority.class, Issue.class, Show.class})
  static final class Cert implements Runnable {
    @CommandLine.Spec private CommandSpec spec;

    @SuppressWarnings("NullAway.Init") // the command line sets the field before anything runs
    Cert() {}

    @Override
    public void run() {
      spec.commandLine().usage(System.out);
    }
  }

  /** Makes an authority. */
  @Command(
      name = "ca",
      mixinStandardHelpOptions = true,
      description = "Makes an authority that signs certificates; keep its folder off the nodes.")
  static final class MakeAuthority implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "folder for the authority")
    private Path folder;

    @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
    MakeAuthority() {}

    @Override
    public Integer call() {
      X509Certificate certificate = Authority.create(folder).certificate();
      System.out.println(certificate.getSubjectX500Principal().getName() + " is in " + folder);
      return ExitCode.DONE;
    }
  }

  /** Signs a certificate. */
  @Command(
      name = "issue",
      mixinStandardHelpOptions = true,
      description = "Signs the request in an identity's folder for a place in a network.")
  static final class Issue implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "folder of the identity")
    private Path folder;

    @Option(
        names = "--authority",
        paramLabel = "DIR",
        required = true,
        description = "folder of the authority")
    private Path authority;

    @Option(
        names = "--network",
        paramLabel = "ID",
        required = true,
        description = "the network's id: lower-case letters, digits and hyphens")
    private String network;

    @Option(names = "--peer", paramLabel = "N", required = true, description = "peer number")
    private int peer;

    @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
    Issue() {}

    @Override
    public Integer call() {
      if (!Member.isNetwork(network) || peer < 0) {
        throw new OperatorException(
            OperatorException.WRONG_USE,
            "'%s', peer %d is no place in a network; use lower-case letters and digits, and 0 or more"
                .formatted(network, peer));
      }
      Member member = new Member(network, new PeerId(peer));
      Authority.read(authority).issue(folder, member);
      System.out.println("signed: " + member);
      return ExitCode.DONE;
    }
  }

  /** Shows a certificate. */
  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = "Shows a certificate: whose it is, who signed it and how long it holds.")
  static final class Show implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "a certificate, or an identity's folder")
    private Path file;

    @Option(names = "--json", description = "print one JSON document")
    private boolean json;

    @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
    Show() {}

    private record Shown(
        String subject, String member, String issuer, String validUntil, String serial) {}

    @Override
    public Integer call() {
      X509Certificate certificate =
          Identity.certificate(
              Files.isDirectory(file) ? new Identity.Files(file).certificate() : file);
      Shown shown =
          new Shown(
              certificate.getSubjectX500Principal().getName(),
              Member.of(certificate).map(Member::toString).orElse("no member"),
              certificate.getIssuerX500Principal().getName(),
              certificate.getNotAfter().toInstant().toString(),
              certificate.getSerialNumber().toString(16));
      System.out.print(
          json
              ? Json.document(shown)
              : "subject  %s (%s)\nissuer   %s\nvalid    until %s\nserial   %s\n"
                  .formatted(
                      shown.subject(),
                      shown.member(),
                      shown.issuer(),
                      shown.validUntil(),
                      shown.serial()));
      return ExitCode.DONE;
    }
  }

  /** The configuration that several verbs take. */
  static final class Configured {
    @Option(
        names = "--config",
        paramLabel = "FILE",
        required = true,
        description = "the node's configuration (YAML)")
    private Path file;

    @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
    Configured() {}

    NodeRun node() {
      return new NodeRun(file);
    }
  }

  /** Runs a node. */
  @Command(
      name = "start",
      mixinStandardHelpOptions = true,
      description = {
        "Runs a node until it is stopped; one that ran before goes on where it was.",
        "A node that has gone all its rounds stays to serve those who have not."
      })
  static final class Start implements Callable<Integer> {
    @CommandLine.Mixin private Configured configured;
    @CommandLine.Mixin private DataOptions data;

    @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
    Start() {}

    @Override
    public Integer call() throws InterruptedException {
      try (StopSignal stop = StopSignal.ofProcess()) {
        configured.node().execute(stop, Start::log, data.files());
      }
      return ExitCode.DONE;
    }

    private static void log(String line) {
      System.err.println(Instant.now().truncatedTo(ChronoUnit.MILLIS) + " " + line);
    }
  }

  /** Tells how a node is. */
  @Command(
      name = "status",
      mixinStandardHelpOptions = true,
      description = "Tells how a node on this machine is, from the status that it writes.")
  static final class Status implements Callable<Integer> {
    @CommandLine.Mixin private Configured configured;

    @Option(names = "--json", description = "print one JSON document")
    private boolean json;

    @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
    Status() {}

    @Override
    public Integer call() {
      String text = configured.node().status();
      System.out.print(json ? text : told(Json.tree(text)));
      return ExitCode.DONE;
    }

    private static String told(JsonNode status) {
      JsonNode totals = status.get("totals");
      long process = status.get("process").asLong();
      boolean alive = ProcessHandle.of(process).map(ProcessHandle::isAlive).orElse(false);
      return String.format(
          Locale.ROOT,
          """
          peer %d of network %s: %s, round %d of %d
          process %d%s, port %d, up %.1f s
          sent %d bytes of models and %d of messages, %d did not arrive
          received %d bytes of models and %d of messages, refused %s
          """,
          status.get("peer").asLong(),
          status.get("network").asString(),
          status.get("state").asString().toLowerCase(Locale.ROOT),
          totals.get("round").asInt(),
          status.get("rounds").asInt(),
          process,
          alive ? "" : " (gone)",
          status.get("port").asInt(),
          status.get("secondsUp").asDouble(),
          totals.get("sentModel").asLong(),
          totals.get("sentControl").asLong(),
          totals.get("failedSends").asLong(),
          totals.get("receivedModel").asLong(),
          totals.get("receivedControl").asLong(),
          status.get("refused").isEmpty() ? "nothing" : status.get("refused"));
    }
  }

  /** Replays a recording. */
  @Command(
      name = "replay",
      mixinStandardHelpOptions = true,
      description = {
        "Replays a node's recorded events on a fresh peer and compares their effects.",
        "A node records with 'record: true'; the first event with other effects is told."
      })
  static final class ReplayRecording implements Callable<Integer> {
    @CommandLine.Mixin private Configured configured;
    @CommandLine.Mixin private DataOptions data;

    @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
    ReplayRecording() {}

    @Override
    public Integer call() {
      Replay.Outcome outcome = configured.node().replay(data.files());
      System.out.printf(
          Locale.ROOT,
          "%d events in %d lives: %s%n",
          outcome.events(),
          outcome.lives(),
          outcome
              .difference()
              .map(each -> "the replay differs at " + each)
              .orElse("all %d effects are equal".formatted(outcome.effects())));
      return outcome.difference().isPresent() ? ExitCode.FAILED : ExitCode.DONE;
    }
  }
}
