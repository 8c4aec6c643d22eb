package io.kindred.node.task;

import io.kindred.core.config.Setting;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.learning.data.own.TaskInputs;
import io.kindred.learning.model.Model;
import io.kindred.runtime.config.Experiment;
import io.kindred.storage.OperatorException;
import io.kindred.storage.config.Binder;
import io.kindred.storage.config.ConfigFile;
import io.kindred.storage.disk.DamagedFileException;
import io.kindred.storage.disk.Safetensors;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The page beside a model of a node that programs read: with it and the weights, a model predicts
 * without its node, its task file or any training data.
 *
 * @param name of the model, as {@code v1-round-20} for version 1 of a task
 * @param made when the node wrote the model, in UTC
 * @param accuracy on the samples that the node held out, if there are any
 * @param members the weights, in the same folder; several for the mean of several models
 * @param predictor inputs, classes and model, in the form of a task file
 */
public record PredictorCard(
    int schemaVersion,
    String task,
    int taskVersion,
    String name,
    String made,
    long peer,
    int round,
    Optional<Double> accuracy,
    List<MemberWeights> members,
    String predictor) {
  private static final int VERSION = 1;
  private static final Binder BINDER = new Binder(Experiment.CATALOGUES);

  public PredictorCard {
    members = List.copyOf(members);
  }

  /**
   * Weights of a model.
   *
   * @param file name of the file, in the folder of the card
   * @param share of these weights' outputs in the prediction
   */
  public record MemberWeights(String file, double share) {}

  /** Where a model comes from. */
  public record Origin(long peer, int round, String made, Optional<Double> accuracy) {}

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
  public static PredictorCard of(OwnDataset data, Model model, Origin origin, Mixture weights) {
    String name = "v" + data.version() + "-round-" + origin.round();
    List<MemberWeights> members = new ArrayList<>();
    for (int i = 0; i < weights.parts().size(); i++) {
      members.add(
          new MemberWeights(
              ModelStore.weightsFile(name, i, weights.parts().size()),
              weights.parts().get(i).coefficient()));
    }
    return new PredictorCard(
        VERSION,
        data.task(),
        data.version(),
        name,
        origin.made(),
        origin.peer(),
        origin.round(),
        origin.accuracy(),
        members,
        predictorText(data, model));
  }

  /** Inputs, classes and model as text; equal for models that can be compared. */
  static String predictorText(OwnDataset data, Model model) {
    return BINDER.toYaml(new PredictorSettings(data.inputs(), data.classes(), model));
  }

  /** Whether the model has the inputs, classes and architecture of a node's task. */
  public boolean fits(OwnDataset data, Model model) {
    return predictor.equals(predictorText(data, model));
  }

  /** Reads a card; anything else is refused with the remedy. */
  public static PredictorCard read(Path file) {
    try {
      JsonNode card = Json.tree(Files.readString(file));
      if (card.path("schemaVersion").asInt(0) != VERSION || !card.has("predictor")) {
        throw noCard(file, "it is no model card of version " + VERSION);
      }
      JsonNode accuracy = card.path("accuracy");
      List<MemberWeights> members = new ArrayList<>();
      card.path("members")
          .forEach(
              each ->
                  members.add(
                      new MemberWeights(
                          each.path("file").asString(""), each.path("share").asDouble(1))));
      return new PredictorCard(
          VERSION,
          card.path("task").asString(""),
          card.path("taskVersion").asInt(1),
          card.path("name").asString(""),
          card.path("made").asString(""),
          card.path("peer").asLong(0),
          card.path("round").asInt(0),
          accuracy.isNumber() ? Optional.of(accuracy.asDouble()) : Optional.empty(),
          members,
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
        file + ": " + why + "; name the file deployed/model.json of a node's folder");
  }

  /** Inputs, classes and model. */
  public PredictorSettings settings(Path file) {
    return BINDER.bind(PredictorSettings.class, ConfigFile.parse(file + " (predictor)", predictor));
  }

  /** Reads the weights from the folder of the card. */
  public Mixture weights(Path folder, Layout layout) {
    List<MixturePart> parts = new ArrayList<>();
    for (MemberWeights each : members) {
      parts.add(new MixturePart(read(folder.resolve(each.file()), layout), each.share()));
    }
    return new Mixture(parts);
  }

  private static Weights read(Path file, Layout layout) {
    try {
      return Safetensors.read(file, layout);
    } catch (DamagedFileException damaged) {
      throw new OperatorException(
          OperatorException.WRONG_USE, String.valueOf(damaged.getMessage()));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(
          "cannot read " + file + ", which must be beside the model card", unreadable);
    }
  }
}
