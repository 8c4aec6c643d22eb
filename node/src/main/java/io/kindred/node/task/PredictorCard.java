package io.kindred.node.task;

import io.kindred.core.config.Setting;
import io.kindred.learning.data.own.TaskInputs;
import io.kindred.learning.model.Model;
import io.kindred.runtime.config.Experiment;
import io.kindred.storage.OperatorException;
import io.kindred.storage.config.Binder;
import io.kindred.storage.config.ConfigFile;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The page beside a model of a node that programs read: with it and the weights, a model predicts
 * without its node, its task file or any training data.
 *
 * @param predictor inputs, classes and model, in the form of a task file
 * @param accuracy on the samples that the node held out, if it was measured
 * @param weights name of the file of the weights, in the same folder
 */
public record PredictorCard(
    int schemaVersion,
    String task,
    long peer,
    int round,
    Optional<Double> accuracy,
    String weights,
    String predictor) {
  private static final int VERSION = 1;
  private static final Binder BINDER = new Binder(Experiment.CATALOGUES);

  /** Where a model comes from. */
  public record Origin(long peer, int round, Optional<Double> accuracy, String weights) {}

  /** What turns samples into classes. */
  public record PredictorSettings(
      @Setting(doc = "inputs of a sample, with their scaling") TaskInputs inputs,
      @Setting(doc = "classes by name; the order gives their numbers") List<String> classes,
      @Setting(doc = "the model") Model model) {
    public PredictorSettings {
      classes = List.copyOf(classes);
    }
  }

  /** The card of a model of a node. */
  public static PredictorCard of(OwnDataset data, Model model, Origin origin) {
    return new PredictorCard(
        VERSION,
        data.task(),
        origin.peer(),
        origin.round(),
        origin.accuracy(),
        origin.weights(),
        BINDER.toYaml(new PredictorSettings(data.inputs(), data.classes(), model)));
  }

  /** Reads a card; anything else is refused with the remedy. */
  public static PredictorCard read(Path file) {
    try {
      JsonNode card = Json.tree(Files.readString(file));
      if (card.path("schemaVersion").asInt(0) != VERSION || !card.has("predictor")) {
        throw noCard(file, "it is no model card of version " + VERSION);
      }
      JsonNode accuracy = card.path("accuracy");
      return new PredictorCard(
          VERSION,
          card.path("task").asString(""),
          card.path("peer").asLong(0),
          card.path("round").asInt(0),
          accuracy.isNumber() ? Optional.of(accuracy.asDouble()) : Optional.empty(),
          card.path("weights").asString(""),
          card.path("predictor").asString(""));
    } catch (JacksonException notJson) {
      throw noCard(file, "it is not JSON");
    } catch (IOException unreadable) {
      if (!Files.exists(file)) {
        throw noCard(file, "there is no such file");
      }
      throw new UncheckedIOException("cannot read " + file, unreadable);
    }
  }

  private static OperatorException noCard(Path file, String why) {
    return new OperatorException(
        OperatorException.WRONG_USE,
        file + ": " + why + "; name the file models/peer-N.json of a node's folder");
  }

  /** Inputs, classes and model. */
  public PredictorSettings settings(Path file) {
    return BINDER.bind(PredictorSettings.class, ConfigFile.parse(file + " (predictor)", predictor));
  }
}
