package io.kindred.node.command;

import io.kindred.node.assembly.NodeRun;
import io.kindred.node.audit.AuditVerification;
import io.kindred.node.identity.Identity;
import io.kindred.runtime.command.ExitCode;
import io.kindred.storage.OperatorException;
import io.kindred.storage.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Checks the chain and the signatures of an audit log. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    description = {
      "Checks that no line of the audit log was changed, removed or added, and that the node's key",
      "signed it. A copy elsewhere needs only the log's files and the authority's certificate.",
      "Exit code 1 if the log is not intact."
    })
final class NodeAuditVerifyCommand implements Callable<Integer> {
  @CommandLine.ArgGroup(multiplicity = "1")
  private Place place;

  /** The log of a node on this machine, or a copy. */
  private static final class Place {
    @Option(
        names = "--config",
        paramLabel = "FILE",
        description = "the configuration of the node (node.yaml)")
    private @Nullable Path config;

    @CommandLine.ArgGroup(exclusive = false)
    private @Nullable Copy copy;
  }

  private static final class Copy {
    @Option(
        names = "--folder",
        paramLabel = "DIR",
        required = true,
        description = "a folder with copies of the log's files, audit.jsonl and audit-*.jsonl")
    private Path folder;

    @Option(
        names = "--authority",
        paramLabel = "FILE",
        required = true,
        description = "the certificate of the network's authority (authority.crt)")
    private Path authority;

    @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
    Copy() {}
  }

  @Option(
      names = "--has",
      paramLabel = "NUMBER:HASH",
      description =
          "a line that was noted earlier, such as 'audit' of status.json; the log must still have it")
  private @Nullable String noted;

  @Option(names = "--json", description = "print one JSON document")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  NodeAuditVerifyCommand() {}

  @Override
  public Integer call() {
    AuditVerification.Outcome outcome = outcome(noted());
    if (outcome.files().isEmpty()) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "there is no audit log; a node writes audit.jsonl to its folder when it starts");
    }
    System.out.print(json ? Json.document(outcome) : text(outcome));
    return outcome.problem().isEmpty() ? ExitCode.DONE : ExitCode.FAILED;
  }

  private AuditVerification.Outcome outcome(Optional<AuditVerification.Noted> line) {
    Copy copy = place.copy;
    if (copy == null) {
      return new NodeRun(java.util.Objects.requireNonNull(place.config)).verifyAudit(line);
    }
    if (!Files.isDirectory(copy.folder)) {
      throw new OperatorException(
          OperatorException.WRONG_USE, "there is no folder " + copy.folder + "; name another");
    }
    return AuditVerification.of(copy.folder, Identity.certificates(copy.authority), line);
  }

  private Optional<AuditVerification.Noted> noted() {
    String text = noted;
    if (text == null) {
      return Optional.empty();
    }
    if (!text.matches("[1-9]\\d{0,17}:[0-9a-f]{64}")) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "'%s' is no noted line; write its number and its hash, as in 120:9f86d0..."
              .formatted(text));
    }
    String[] parts = text.split(":", -1);
    return Optional.of(new AuditVerification.Noted(Long.parseLong(parts[0]), parts[1]));
  }

  private static String text(AuditVerification.Outcome outcome) {
    return """
        %s: lines %d to %d, from %s to %s
        %s
        signed up to line %d; the last line has the hash %s
        %s
        """
        .formatted(
            String.join(", ", outcome.files()),
            outcome.firstNumber(),
            outcome.lastNumber(),
            outcome.firstTime(),
            outcome.lastTime(),
            outcome.events().entrySet().stream()
                .map(NodeAuditVerifyCommand::counted)
                .collect(Collectors.joining(", ")),
            outcome.signedThrough(),
            outcome.head(),
            outcome.problem().map(each -> "NOT INTACT: " + each).orElse("intact"));
  }

  private static String counted(Map.Entry<String, Long> events) {
    return events.getValue() + " " + events.getKey();
  }
}
