package io.kindred.cli.export;

import io.kindred.report.run.RunRecord;
import io.kindred.storage.OperatorException;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import tools.jackson.databind.JsonNode;

/**
 * Uploads runs to an MLflow tracking server through its REST interface, version 2.0: one MLflow run
 * per run, settings as parameters, figures by round as metrics with the round as step, and the
 * summary's figures as metrics of their own. Values longer than MLflow accepts are truncated.
 */
public final class MlflowClient {
  private static final String BASE = "/api/2.0/mlflow/";

  /** The limits of log-batch, according to the interface's documentation. */
  private static final int MOST_METRICS = 1000;

  private static final int MOST_PARAMETERS = 100;
  private static final int LONGEST_PARAMETER = 500;
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);

  private final URI server;
  private final long now;
  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

  /**
   * Creates a client for a server.
   *
   * @param now milliseconds since 1970, which MLflow requires with every value
   */
  public MlflowClient(URI server, long now) {
    this.server = server;
    this.now = now;
  }

  /**
   * Logs the runs under an experiment, which is created if it does not exist; returns their ids.
   */
  public List<String> log(String experiment, List<RunRecord> runs) {
    String experimentId = experimentId(experiment);
    List<String> ids = new ArrayList<>();
    for (RunRecord run : runs) {
      ids.add(log(experimentId, run));
    }
    return ids;
  }

  private String experimentId(String name) {
    String query = "?experiment_name=" + URLEncoder.encode(name, StandardCharsets.UTF_8);
    HttpResponse<String> found = send(request("experiments/get-by-name" + query).GET().build());
    if (found.statusCode() == 404) {
      return text(post("experiments/create", Map.of("name", name)), "experiment_id");
    }
    return text(requireSuccess(found).path("experiment"), "experiment_id");
  }

  private String log(String experimentId, RunRecord run) {
    SequencedMap<String, Object> created = new LinkedHashMap<>();
    created.put("experiment_id", experimentId);
    created.put("run_name", TableFiles.runName(run));
    created.put("start_time", now);
    created.put("tags", List.of(keyValue("kindred.command", run.command())));
    JsonNode answer = post("runs/create", created);
    String id = text(answer.path("run").path("info"), "run_id");
    List<Map<String, Object>> parameters = new ArrayList<>();
    run.settings()
        .scalars()
        .forEach((path, value) -> parameters.add(keyValue(sanitizedName(path), truncated(value))));
    postInBatches(id, "params", parameters, MOST_PARAMETERS);
    postInBatches(id, "metrics", metrics(run), MOST_METRICS);
    SequencedMap<String, Object> ended = new LinkedHashMap<>();
    ended.put("run_id", id);
    ended.put("status", run.finished() ? "FINISHED" : "RUNNING");
    if (run.finished()) {
      ended.put("end_time", now);
    }
    post("runs/update", ended);
    return id;
  }

  private List<Map<String, Object>> metrics(RunRecord run) {
    List<Map<String, Object>> metrics = new ArrayList<>();
    MetricPoint.of(run)
        .forEach(point -> metrics.add(metric(point.name(), point.value(), point.round())));
    run.summary()
        .scalars()
        .keySet()
        .forEach(
            path -> {
              double value = run.summary().number(path);
              if (Double.isFinite(value)) {
                metrics.add(metric("summary/" + path, value, 0));
              }
            });
    return metrics;
  }

  private Map<String, Object> metric(String name, double value, int step) {
    SequencedMap<String, Object> metric = new LinkedHashMap<>();
    metric.put("key", sanitizedName(name));
    metric.put("value", value);
    metric.put("timestamp", now);
    metric.put("step", step);
    return metric;
  }

  private void postInBatches(String id, String kind, List<Map<String, Object>> all, int most) {
    for (int from = 0; from < all.size(); from += most) {
      SequencedMap<String, Object> batch = new LinkedHashMap<>();
      batch.put("run_id", id);
      batch.put(kind, all.subList(from, Math.min(all.size(), from + most)));
      post("runs/log-batch", batch);
    }
  }

  private static Map<String, Object> keyValue(String key, String value) {
    SequencedMap<String, Object> pair = new LinkedHashMap<>();
    pair.put("key", key);
    pair.put("value", value);
    return pair;
  }

  /** MLflow names may contain letters, digits, underscores, dashes, dots, blanks and slashes. */
  private static String sanitizedName(String name) {
    return name.replaceAll("[^\\w\\-. /]", "_");
  }

  private static String truncated(String value) {
    return value.length() <= LONGEST_PARAMETER ? value : value.substring(0, LONGEST_PARAMETER);
  }

  private HttpRequest.Builder request(String path) {
    String base = server.toString().replaceFirst("/+$", "");
    return HttpRequest.newBuilder(URI.create(base + BASE + path)).timeout(REQUEST_TIMEOUT);
  }

  private JsonNode post(String path, Map<String, ?> body) {
    return requireSuccess(
        send(
            request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(Json.line(body)))
                .build()));
  }

  private HttpResponse<String> send(HttpRequest request) {
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException unreachable) {
      throw serverError("does not answer; start a server with 'mlflow server', or name another");
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw serverError("had not answered when the export was interrupted; repeat the export");
    }
  }

  private JsonNode requireSuccess(HttpResponse<String> answer) {
    if (answer.statusCode() != 200) {
      String said = answer.body().lines().findFirst().orElse("");
      throw serverError(
          "refused "
              + answer.request().uri().getPath()
              + " with "
              + answer.statusCode()
              + " ("
              + (said.length() > 200 ? said.substring(0, 200) : said)
              + "); see the log of the server");
    }
    return Json.tree(answer.body());
  }

  private String text(JsonNode node, String field) {
    String value = node.path(field).asString("");
    if (value.isEmpty()) {
      throw serverError("answered without " + field + "; is it an MLflow server?");
    }
    return value;
  }

  private OperatorException serverError(String what) {
    return new OperatorException(OperatorException.FAILED, "the server " + server + " " + what);
  }
}
