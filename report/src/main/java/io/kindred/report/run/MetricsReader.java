package io.kindred.report.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads {@code metrics.jsonl} line by line and keeps only accuracies, sample counts and a few other
 * metrics, of honest peers only.
 */
record MetricsReader(boolean finished, List<String> hostile) {
  private static final JsonFactory JSON = new JsonFactory();

  Evaluations read(Path file, List<String> notes) throws IOException {
    Evaluations evaluations = new Evaluations();
    if (!Files.isRegularFile(file)) {
      return evaluations;
    }
    // The stream reader replaces bytes that are not UTF-8 instead of failing without a line number.
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8))) {
      long number = 1;
      String line = reader.readLine();
      while (line != null) {
        String next = reader.readLine();
        String complaint = line.isBlank() ? null : addLine(line, evaluations);
        if (complaint != null) {
          if (finished || next != null) {
            throw new DamagedRunException(file, number, complaint);
          }
          notes.add(
              file.getFileName() + ":" + number + ": the last line is incomplete and was skipped");
        }
        line = next;
        number++;
      }
    }
    return evaluations;
  }

  /** Adds one line; returns what is wrong with it, or null. */
  private @Nullable String addLine(String line, Evaluations evaluations) {
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), line)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return "expected an object";
      }
      MetricFields metricFields = new MetricFields();
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        metricFields.readField(parser);
      }
      if (parser.nextToken() != null) {
        return "text after the end of the object";
      }
      return metricFields.addTo(evaluations, hostile);
    } catch (JacksonException damaged) {
      return firstLine(damaged.getOriginalMessage());
    }
  }

  private static String firstLine(String message) {
    int end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end);
  }

  /** The few fields of a line that a report needs. */
  private static final class MetricFields {
    private int round = -1;
    private String peer = "";
    private String stage = "";
    private double accuracy = Double.NaN;
    private double common = Double.NaN;
    private int samples = -1;
    private final SortedMap<String, Double> figures = new TreeMap<>();

    void readField(JsonParser parser) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      switch (name) {
        case "round" -> round = parser.getIntValue();
        case "peer" -> peer = parser.getString();
        case "stage" -> stage = parser.getString();
        case "accuracy" -> accuracy = value.isNumeric() ? parser.getDoubleValue() : Double.NaN;
        case "globalAccuracy" -> common = value.isNumeric() ? parser.getDoubleValue() : Double.NaN;
        case "samples" -> samples = value.isNumeric() ? parser.getIntValue() : -1;
        case "extra" -> readFigures(parser, value);
        default -> parser.skipChildren();
      }
    }

    private void readFigures(JsonParser parser, JsonToken begun) {
      if (begun != JsonToken.START_OBJECT) {
        return;
      }
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = parser.currentName();
        if (parser.nextToken().isNumeric() && Evaluations.isTracked(name)) {
          figures.put(name, parser.getDoubleValue());
        } else {
          parser.skipChildren();
        }
      }
    }

    @Nullable String addTo(Evaluations evaluations, List<String> leftOut) {
      if (round < 0 || peer.isEmpty()) {
        return "expected \"round\" and \"peer\"";
      }
      Stage known = Stage.named(stage).orElse(null);
      if (known == null) {
        return "unknown stage \"" + stage + "\": expected mixed, trained or final";
      }
      if (leftOut.contains(peer)) {
        return null;
      }
      evaluations.add(known, round, peer, accuracy);
      if (Double.isFinite(common)) {
        evaluations.addCommon(known, round, peer, common);
      }
      if (samples >= 0) {
        evaluations.addSamples(peer, samples);
      }
      figures.forEach((name, value) -> evaluations.addFigure(name, round, value));
      return null;
    }
  }
}
