package io.kindred.node.operations;

import io.kindred.node.NodeStatus;
import io.kindred.node.measure.Histogram;
import io.kindred.node.measure.NodeMeasurements;
import io.kindred.node.state.Totals;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The status of a node in the text format of Prometheus. */
final class PrometheusExposition {
  private final StringBuilder text = new StringBuilder();

  private PrometheusExposition() {}

  static String of(NodeStatus status, NodeMeasurements measurements) {
    PrometheusExposition prometheusExposition = new PrometheusExposition();
    prometheusExposition.progress(status);
    prometheusExposition.traffic(status);
    prometheusExposition.problems(status);
    prometheusExposition.process();
    prometheusExposition.measurements(measurements);
    return prometheusExposition.text.toString();
  }

  private void progress(NodeStatus status) {
    family("kindred_state", "gauge", "1 for the state that the node is in");
    for (NodeStatus.State each : NodeStatus.State.values()) {
      String name = each.name().toLowerCase(Locale.ROOT);
      sample("kindred_state", "state", name, each == status.progress().state() ? 1 : 0);
    }
    metric(
        "kindred_round",
        "gauge",
        "last round that the node finished",
        status.exchange().totals().round());
    metric("kindred_rounds", "gauge", "rounds of the experiment", status.progress().rounds());
    metric(
        "kindred_up_seconds",
        "gauge",
        "seconds since the last start",
        status.progress().secondsUp());
    metric(
        "kindred_waiting_events",
        "gauge",
        "events that wait to be processed",
        status.exchange().waiting());
    metric(
        "kindred_events_total", "counter", "events processed", status.exchange().totals().events());
    metric(
        "kindred_known_peers",
        "gauge",
        "members whose addresses the node knows",
        status.exchange().known());
    metric(
        "kindred_heard_peers",
        "gauge",
        "peers that the node has received messages from",
        status.heard().size());
    labelledMetric("kindred_counted_total", "name", "counters of the peer", status.counts());
  }

  private void traffic(NodeStatus status) {
    Totals totals = status.exchange().totals();
    family("kindred_sent_bytes_total", "counter", "bytes sent");
    sample("kindred_sent_bytes_total", "kind", "model", totals.sentModel());
    sample("kindred_sent_bytes_total", "kind", "control", totals.sentControl());
    family("kindred_received_bytes_total", "counter", "bytes received");
    sample("kindred_received_bytes_total", "kind", "model", totals.receivedModel());
    sample("kindred_received_bytes_total", "kind", "control", totals.receivedControl());
    metric(
        "kindred_relayed_bytes_total",
        "counter",
        "bytes relayed to members that accept no connections",
        status.exchange().relayed().bytes());
    metric("kindred_pulled_models_total", "counter", "models received", totals.pulled());
    metric("kindred_failed_sends_total", "counter", "messages not delivered", totals.failedSends());
  }

  private void problems(NodeStatus status) {
    labelledMetric(
        "kindred_refused_total",
        "kind",
        "refused messages and calls",
        status.misconduct().refused());
    labelledMetric(
        "kindred_unwritten_total", "what", "writes that failed", status.disk().unwritten());
    metric(
        "kindred_certificate_end_seconds",
        "gauge",
        "end of the certificate's validity, in seconds since 1970",
        Instant.parse(status.certificateUntil()).getEpochSecond());
  }

  /** What the process takes, beside the limit of its memory. */
  private void process() {
    Runtime runtime = Runtime.getRuntime();
    metric(
        "kindred_heap_bytes",
        "gauge",
        "memory in use by Java objects, garbage included",
        runtime.totalMemory() - runtime.freeMemory());
    metric(
        "kindred_heap_limit_bytes",
        "gauge",
        "most memory that Java objects may take",
        runtime.maxMemory());
  }

  private void measurements(NodeMeasurements measurements) {
    histogram(
        "kindred_round_seconds",
        "seconds from the end of a round to that of the next one",
        Map.of("", measurements.rounds()));
    histogram(
        "kindred_delivery_seconds",
        "seconds until a receiver confirms a message",
        Map.of("", measurements.deliveries()));
    histogram(
        "kindred_event_wait_seconds",
        "seconds that an event waits in the queue",
        Map.of("", measurements.waits()));
    histogram(
        "kindred_received_message_bytes",
        "bytes of received messages, weights included",
        Map.of("", measurements.receivedBytes()));
    SortedMap<String, Histogram.Snapshot> tickets = new TreeMap<>();
    measurements
        .tickets()
        .forEach((kind, snapshot) -> tickets.put("kind=\"" + kind + "\",", snapshot));
    histogram("kindred_ticket_seconds", "seconds that a computation takes", tickets);
  }

  /**
   * One histogram for each set of labels.
   *
   * @param byLabels labels as in {@code kind="mix",}
   */
  private void histogram(String name, String help, Map<String, Histogram.Snapshot> byLabels) {
    family(name, "histogram", help);
    byLabels.forEach(
        (labels, snapshot) -> {
          for (int i = 0; i < snapshot.cumulative().size(); i++) {
            String bound =
                i < snapshot.bounds().size() ? Double.toString(snapshot.bounds().get(i)) : "+Inf";
            text.append(
                "%s_bucket{%sle=\"%s\"} %d\n"
                    .formatted(name, labels, bound, snapshot.cumulative().get(i)));
          }
          String braces =
              labels.isEmpty() ? "" : "{" + labels.substring(0, labels.length() - 1) + "}";
          text.append("%s_sum%s %s\n".formatted(name, braces, snapshot.sum()));
          text.append("%s_count%s %d\n".formatted(name, braces, snapshot.count()));
        });
  }

  private void family(String name, String type, String help) {
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  private void metric(String name, String type, String help, Number value) {
    family(name, type, help);
    text.append(name).append(' ').append(value).append('\n');
  }

  private void labelledMetric(
      String name, String label, String help, SortedMap<String, Long> values) {
    family(name, "counter", help);
    values.forEach((key, value) -> sample(name, label, key, value));
  }

  private void sample(String name, String label, String key, Number value) {
    text.append(name)
        .append('{')
        .append(label)
        .append("=\"")
        .append(key.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"))
        .append("\"} ")
        .append(value)
        .append('\n');
  }
}
