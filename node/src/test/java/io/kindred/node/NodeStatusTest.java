package io.kindred.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.node.audit.AuditTrail;
import io.kindred.node.state.Totals;
import io.kindred.node.transport.VersionReport;
import io.kindred.node.transport.relay.RelayServer;
import io.kindred.storage.json.Json;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class NodeStatusTest {
  @Test
  void theFileIsFlatAndHasTheKeysThatToolsOfOperatorsRead() {
    NodeStatus status =
        new NodeStatus(
            new NodeStatus.Instance("tiny", 3, 4711, 7400),
            new NodeStatus.Progress(NodeStatus.State.RUNNING, 20, 1.5, false),
            new NodeStatus.Exchange(
                1, 2, Totals.NOTHING.finished(7), 9, new RelayServer.RelayStats(12, 345)),
            new NodeStatus.Misconduct(new TreeMap<>(), new TreeMap<>()),
            new TreeMap<>(),
            new TreeMap<>(),
            new NodeStatus.Disk(new TreeMap<>(), false),
            "2099-01-01T00:00:00Z",
            AuditTrail.Head.NONE,
            new VersionReport(
                new VersionReport.OfMember(3, "plants", 1, true), null, new TreeMap<>()));

    JsonNode file = Json.tree(Json.document(status));

    assertThat(file.propertyNames())
        .containsExactly(
            "network",
            "peer",
            "process",
            "port",
            "state",
            "rounds",
            "secondsUp",
            "restored",
            "known",
            "waiting",
            "totals",
            "framedBytes",
            "relayed",
            "refused",
            "offences",
            "counts",
            "heard",
            "unwritten",
            "diskFails",
            "certificateUntil",
            "audit",
            "versions");
    assertThat(file.get("peer").asInt()).isEqualTo(3);
    assertThat(file.get("state").asString()).isEqualTo("RUNNING");
    assertThat(file.get("totals").get("round").asInt()).isEqualTo(7);
  }
}
