package io.kindred.node.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.PeerId;
import io.kindred.node.NodeStatus;
import io.kindred.node.TinyNetwork;
import io.kindred.node.audit.AuditTrail;
import io.kindred.node.identity.Authority;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.node.log.NodeLog;
import io.kindred.node.measure.NodeMeasurements;
import io.kindred.node.state.Totals;
import io.kindred.node.transport.RefusalKind;
import io.kindred.node.transport.Refusals;
import io.kindred.node.transport.VersionReport;
import io.kindred.node.transport.relay.RelayServer;
import io.kindred.node.transport.tls.Tls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class OperationsServerTest {
  @TempDir private Path home;

  private final NodeMeasurements measurements = new NodeMeasurements();
  private final Refusals refusals = new Refusals(line -> {});
  private TinyNetwork network;
  private OperationsServer operationsServer;
  private volatile NodeStatus status =
      status(NodeStatus.State.RUNNING, false, "2099-01-01T00:00:00Z");

  @SuppressWarnings("NullAway.Init") // set before each test
  OperationsServerTest() {}

  private static NodeStatus status(NodeStatus.State state, boolean diskFails, String until) {
    SortedMap<String, Long> refused = new TreeMap<>();
    refused.put("no-tls", 3L);
    SortedMap<Long, NodeStatus.PeerTraffic> peerTraffic = new TreeMap<>();
    peerTraffic.put(1L, new NodeStatus.PeerTraffic(9, 4, 0.5));
    return new NodeStatus(
        new NodeStatus.Instance("tiny", 0, 1, 7400),
        new NodeStatus.Progress(state, 20, 1.5, false),
        new NodeStatus.Exchange(
            1, 2, new Totals(7, 100, 11, 22, 33, 44, 5, 6), 0, new RelayServer.RelayStats(12, 345)),
        new NodeStatus.Misconduct(refused, new TreeMap<>()),
        new TreeMap<>(),
        peerTraffic,
        new NodeStatus.Disk(new TreeMap<>(), diskFails),
        until,
        AuditTrail.Head.NONE,
        new VersionReport(new VersionReport.OfMember(3, null, null, true), null, new TreeMap<>()));
  }

  @BeforeEach
  void open() {
    network = new TinyNetwork(home, 2, 1);
    operationsServer =
        new OperationsServer(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            network.identity(0),
            () -> status,
            measurements,
            refusals,
            NodeLog.ofTexts(line -> {}));
  }

  @AfterEach
  void close() {
    operationsServer.close();
  }

  /** Sends a request as a tool does that knows the node's name in its certificate. */
  private String ask(SSLContext tls, String request) throws IOException {
    try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), operationsServer.port());
        Socket socket =
            tls.getSocketFactory()
                .createSocket(plain, "peer-0.tiny.kindred", operationsServer.port(), true)) {
      socket.setSoTimeout(20_000);
      socket
          .getOutputStream()
          .write(
              (request + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private String asMember(String request) throws IOException {
    return ask(Tls.jdkContext(network.identity(1), new Refusals(line -> {})), request);
  }

  @Test
  void aHealthyNodeSaysSo() throws IOException {
    assertThat(asMember("GET /health")).startsWith("HTTP/1.1 200").contains("\"running\"");
    assertThat(asMember("GET /ready")).startsWith("HTTP/1.1 200");
  }

  @Test
  void aFailedNodeIsNeitherHealthyNorReady() throws IOException {
    status = status(NodeStatus.State.FAILED, false, "2099-01-01T00:00:00Z");
    assertThat(asMember("GET /health")).startsWith("HTTP/1.1 503").contains("has failed");
    assertThat(asMember("GET /ready")).startsWith("HTTP/1.1 503");
  }

  @Test
  void aFullDiskAndAnExpiredCertificateCostReadinessButNotHealth() throws IOException {
    status = status(NodeStatus.State.RUNNING, true, "2001-01-01T00:00:00Z");
    assertThat(asMember("GET /health")).startsWith("HTTP/1.1 200");
    assertThat(asMember("GET /ready"))
        .startsWith("HTTP/1.1 503")
        .contains("free some space")
        .contains("cert renew");
  }

  @Test
  void distributionsAreHistogramsOfPrometheus() throws IOException {
    measurements.round(0.3);
    measurements.round(700);
    measurements.ticket(Ticket.Kind.MIX, 2_000_000);

    assertThat(asMember("GET /metrics"))
        .contains("# TYPE kindred_round_seconds histogram\n")
        .contains("kindred_round_seconds_bucket{le=\"0.1\"} 0\n")
        .contains("kindred_round_seconds_bucket{le=\"0.5\"} 1\n")
        .contains("kindred_round_seconds_bucket{le=\"600.0\"} 1\n")
        .contains("kindred_round_seconds_bucket{le=\"+Inf\"} 2\n")
        .contains("kindred_round_seconds_sum 700.3\nkindred_round_seconds_count 2\n")
        .contains("kindred_ticket_seconds_bucket{kind=\"mix\",le=\"0.005\"} 1\n")
        .contains("kindred_ticket_seconds_count{kind=\"mix\"} 1\n")
        .contains("kindred_heap_limit_bytes " + Runtime.getRuntime().maxMemory());
  }

  @Test
  void metricsAreInTheTextFormatOfPrometheus() throws IOException {
    assertThat(asMember("GET /metrics"))
        .containsIgnoringCase("content-type: text/plain; version=0.0.4")
        .contains("# TYPE kindred_round gauge\nkindred_round 7\n")
        .contains("kindred_state{state=\"running\"} 1\n")
        .contains("kindred_state{state=\"done\"} 0\n")
        .contains("kindred_up_seconds 1.5\n")
        .contains("kindred_sent_bytes_total{kind=\"model\"} 22\n")
        .contains("kindred_refused_total{kind=\"no-tls\"} 3\n")
        .contains("kindred_heard_peers 1\n")
        .contains("kindred_certificate_end_seconds 4070908800\n");
  }

  @Test
  void otherPathsAndOtherMethodsAreRefused() throws IOException {
    assertThat(asMember("GET /healthy")).startsWith("HTTP/1.1 404");
    assertThat(asMember("DELETE /health")).startsWith("HTTP/1.1 405");
  }

  @Test
  void aToolOfAnotherAuthorityGetsNothing() {
    Identity stranger =
        network.identity(
            "stranger",
            Authority.create(home.resolve("foreign")),
            new Member(TinyNetwork.NETWORK, new PeerId(1)));
    Identity credulous =
        new Identity(stranger.key(), stranger.certificate(), network.authority().certificate());
    assertThatThrownBy(
            () -> ask(Tls.jdkContext(credulous, new Refusals(line -> {})), "GET /metrics"))
        .isInstanceOf(IOException.class);
    assertThat(refusals.counts()).containsKey(RefusalKind.FOREIGN_AUTHORITY);
  }

  @Test
  void nothingIsSaidInTheClear() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), operationsServer.port())) {
      socket.setSoTimeout(20_000);
      socket
          .getOutputStream()
          .write("GET /metrics HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      byte[] answer = socket.getInputStream().readAllBytes();
      // A TLS alert (record type 21) at most.
      assertThat(answer.length == 0 || answer[0] == 21).isTrue();
    } catch (SocketException reset) {
      assertThat(List.of("Connection reset")).contains(reset.getMessage());
    }
  }
}
