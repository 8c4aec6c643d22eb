package io.kindred.node.command;

import io.kindred.runtime.command.ExitCode;
import io.kindred.storage.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Shows the state of a node. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description =
        "Shows the state of a node on this machine, from the status file that the node"
            + " writes.")
final class NodeStatusCommand implements Callable<Integer> {
  @CommandLine.Mixin private NodeOptions options;

  @Option(names = "--json", description = "print one JSON document")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  NodeStatusCommand() {}

  @Override
  public Integer call() {
    String text = options.node().status();
    System.out.print(json ? text : statusText(Json.tree(text)));
    return ExitCode.DONE;
  }

  private static String statusText(JsonNode status) {
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
        %s""",
        status.get("peer").asLong(),
        status.get("network").asString(),
        status.get("state").asString().toLowerCase(Locale.ROOT),
        totals.get("round").asInt(),
        status.get("rounds").asInt(),
        process,
        alive ? "" : " (not running)",
        status.get("port").asInt(),
        status.get("secondsUp").asDouble(),
        totals.get("sentModel").asLong(),
        totals.get("sentControl").asLong(),
        totals.get("failedSends").asLong(),
        totals.get("receivedModel").asLong(),
        totals.get("receivedControl").asLong(),
        status.get("refused").isEmpty() ? "nothing" : status.get("refused"),
        lastContacts(status.path("heard"))
            + relayed(status.path("relayed"))
            + versions(status.path("versions"))
            + warnings(status));
  }

  private static String relayed(JsonNode relayed) {
    long messages = relayed.path("messages").asLong(0);
    return messages == 0
        ? ""
        : "relayed %d messages, %d bytes, to members that accept no connections%n"
            .formatted(messages, relayed.path("bytes").asLong(0));
  }

  /** Which member runs which version of the task and of the transport. */
  private static String versions(JsonNode versions) {
    JsonNode own = versions.path("own");
    SortedMap<String, List<String>> groups = new TreeMap<>();
    versions
        .path("members")
        .properties()
        .forEach(
            each ->
                groups
                    .computeIfAbsent(version(each.getValue()), _ -> new ArrayList<>())
                    .add(each.getKey()));
    if (own.isMissingNode()) {
      return "";
    }
    return "%s%s%n"
        .formatted(
            version(own),
            groups.entrySet().stream()
                    .map(
                        each ->
                            "; peers %s: %s"
                                .formatted(
                                    String.join(", ", each.getValue()),
                                    each.getKey().equals(version(own))
                                        ? "the same"
                                        : each.getKey()))
                    .collect(Collectors.joining())
                + (versions.has("earlierTask")
                    ? "; the version before is served " + versions.get("earlierTask").asString()
                    : ""));
  }

  private static String version(JsonNode member) {
    return (member.has("task")
            ? "task %s, version %d%s, "
                .formatted(
                    member.get("task").asString(),
                    member.path("version").asInt(),
                    member.path("same").asBoolean() ? "" : " (not this node's)")
            : "")
        + "transport version "
        + member.path("transport").asInt();
  }

  /** The peers that sent messages, each with the time of its last one. */
  private static String lastContacts(JsonNode heard) {
    if (heard.isEmpty()) {
      return "received no messages%n".formatted();
    }
    return heard.properties().stream()
        .map(
            each ->
                each.getValue().has("secondsAgo")
                    ? String.format(
                        Locale.ROOT,
                        "peer %s (%.0f s ago)",
                        each.getKey(),
                        each.getValue().get("secondsAgo").asDouble())
                    : "peer %s (before the last restart)".formatted(each.getKey()))
        .collect(Collectors.joining(", ", "last messages from ", "%n".formatted()));
  }

  /** Problems that need the attention of an operator. */
  private static String warnings(JsonNode status) {
    String disk =
        status.path("unwritten").isEmpty()
            ? ""
            : "could not write %s%n".formatted(status.get("unwritten"));
    return status.has("certificateUntil")
        ? disk + "certificate valid until %s%n".formatted(status.get("certificateUntil").asString())
        : disk;
  }
}
