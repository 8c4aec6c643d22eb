package io.kindred.node.operations;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.kindred.node.NodeStatus;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Validity;
import io.kindred.node.log.NodeLog;
import io.kindred.node.measure.NodeMeasurements;
import io.kindred.node.transport.Refusals;
import io.kindred.node.transport.tls.Tls;
import io.kindred.storage.OperatorException;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * HTTPS endpoints for an operator's tools: health, readiness and metrics. The server uses the
 * node's own certificate and admits only clients with a certificate of the same network: metrics
 * without TLS would disclose which peers train with each other.
 */
public final class OperationsServer implements AutoCloseable {
  private static final String REQUEST_TIMEOUT_SECONDS = "10";

  private final Supplier<NodeStatus> status;
  private final NodeMeasurements measurements;
  private final Identity identity;
  private final Refusals refusals;
  private final HttpsServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /** Opens the endpoints. */
  public OperationsServer(
      InetSocketAddress address,
      Identity identity,
      Supplier<NodeStatus> status,
      NodeMeasurements measurements,
      Refusals refusals,
      NodeLog log) {
    this.status = status;
    this.measurements = measurements;
    this.identity = identity;
    this.refusals = refusals;
    // The JDK reads these once, for the first server of the process; they end connections of slow
    // clients.
    System.setProperty("sun.net.httpserver.maxReqTime", REQUEST_TIMEOUT_SECONDS);
    System.setProperty("sun.net.httpserver.maxRspTime", REQUEST_TIMEOUT_SECONDS);
    try {
      server = HttpsServer.create(address, 0);
    } catch (IOException refused) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          ("cannot listen at %s (%s); stop the process that uses the port, or choose"
                  + " another 'operations.listen'")
              .formatted(address, refused.getMessage()));
    }
    server.setHttpsConfigurator(new MutualTlsConfigurator(Tls.jdkContext(identity, refusals)));
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
    log.info("operations", "health, readiness and metrics are at port {}", port());
  }

  private static final class MutualTlsConfigurator extends HttpsConfigurator {
    MutualTlsConfigurator(SSLContext context) {
      super(context);
    }

    @Override
    public void configure(HttpsParameters parameters) {
      SSLParameters both = getSSLContext().getDefaultSSLParameters();
      both.setProtocols(new String[] {Tls.VERSION});
      both.setNeedClientAuth(true);
      parameters.setSSLParameters(both);
    }
  }

  /** The port that the server listens on. */
  public int port() {
    return server.getAddress().getPort();
  }

  /** The answer of /health and /ready: the state of the node and its problems. */
  record HealthReport(String state, List<String> problems) {}

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!isAdmitted(exchange)) {
        answer(exchange, 403, "text/plain", "this certificate is not admitted\n");
      } else if (!exchange.getRequestMethod().equals("GET")) {
        answer(exchange, 405, "text/plain", "only GET is supported\n");
      } else {
        switch (exchange.getRequestURI().getPath()) {
          case "/health" -> answerHealth(exchange, healthProblems(status.get()));
          case "/ready" -> answerHealth(exchange, readyProblems(status.get()));
          case "/metrics" ->
              answer(
                  exchange,
                  200,
                  "text/plain; version=0.0.4; charset=utf-8",
                  PrometheusExposition.of(status.get(), measurements));
          default ->
              answer(
                  exchange,
                  404,
                  "text/plain",
                  "not found; the endpoints are /health, /ready and /metrics\n");
        }
      }
    }
  }

  /** The trust manager does not see a resumed TLS session, so every request is checked here. */
  private boolean isAdmitted(HttpExchange exchange) {
    return Tls.isTrusted(identity, refusals, ((HttpsExchange) exchange).getSSLSession());
  }

  private void answerHealth(HttpExchange exchange, List<String> problems) throws IOException {
    String state = status.get().progress().state().name().toLowerCase(Locale.ROOT);
    answer(
        exchange,
        problems.isEmpty() ? 200 : 503,
        "application/json",
        Json.document(new HealthReport(state, problems)));
  }

  /** Problems that a restart may fix. */
  static List<String> healthProblems(NodeStatus status) {
    return switch (status.progress().state()) {
      case RUNNING, DONE -> List.of();
      case STOPPED -> List.of("the node has stopped");
      case FAILED -> List.of("the node has failed; see its log for the reason");
    };
  }

  /**
   * Problems that keep the node from working well, including those that a restart would not fix.
   */
  static List<String> readyProblems(NodeStatus status) {
    List<String> problems = new ArrayList<>(healthProblems(status));
    if (status.disk().diskFails()) {
      problems.add("writes to the disk fail; free some space");
    }
    Validity validity = new Validity(Instant.EPOCH, Instant.parse(status.certificateUntil()));
    if (validity.isExpired(Instant.now())) {
      problems.add("the certificate has expired; renew it with 'kindred node cert renew'");
    }
    return problems;
  }

  private static void answer(HttpExchange exchange, int code, String type, String text)
      throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(code, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
