package io.kindred.cli.export;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A fake MLflow tracking server for the part of the REST interface that is used here. */
public final class TrackingServer implements AutoCloseable {
  /** A received request. */
  public record Call(String verb, String path, JsonNode body) {}

  private final List<Call> calls = new ArrayList<>();
  private final HttpServer server;
  private boolean known;
  private int runs;

  public TrackingServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  public URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
  }

  public synchronized List<Call> calls() {
    return List.copyOf(calls);
  }

  private synchronized void answer(HttpExchange exchange) throws IOException {
    String text = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String path = exchange.getRequestURI().toString().replaceFirst("^/api/2.0/mlflow/", "");
    calls.add(new Call(exchange.getRequestMethod(), path, Json.tree(text.isEmpty() ? "{}" : text)));
    int status = 200;
    String body =
        switch (path.replaceFirst("\\?.*", "")) {
          case "experiments/get-by-name" -> {
            status = known ? 200 : 404;
            yield known
                ? "{\"experiment\":{\"experiment_id\":\"7\"}}"
                : "{\"error_code\":\"RESOURCE_DOES_NOT_EXIST\"}";
          }
          case "experiments/create" -> {
            known = true;
            yield "{\"experiment_id\":\"7\"}";
          }
          case "runs/create" -> {
            runs++;
            yield "{\"run\":{\"info\":{\"run_id\":\"run-" + runs + "\"}}}";
          }
          case "runs/log-batch", "runs/update" -> "{}";
          default -> {
            status = 404;
            yield "no such endpoint";
          }
        };
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
