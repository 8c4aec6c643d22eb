package io.kindred.benchmarks;

import io.kindred.core.config.Catalogue;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.learning.Auto;
import io.kindred.learning.Engines;
import io.kindred.learning.data.ByteFeatures;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Samples;
import io.kindred.learning.engine.EngineChoice;
import io.kindred.learning.model.Architecture;
import io.kindred.learning.model.Model;
import io.kindred.learning.model.Models;
import io.kindred.storage.config.Binder;
import io.kindred.storage.config.ConfigFile;
import java.util.List;
import java.util.stream.IntStream;

/** A model with a batch size: the workloads that engines are measured by. */
record Workload(String name, Architecture architecture, int batch, int stepsPerTicket) {
  static final List<Workload> ALL =
      List.of(
          of("W1", "{name: fmnist-cnn, padding: true}", List.of(1, 28, 28), 10, 64, 5),
          of("W1u", "fmnist-cnn", List.of(1, 28, 28), 10, 64, 5),
          of("W2", "lenet", List.of(3, 32, 32), 10, 16, 50),
          of("W3", "{name: mlp, hidden: [2048]}", List.of(1, 28, 28), 10, 64, 20),
          of("W3b", "{name: mlp, hidden: [64]}", List.of(1, 28, 28), 10, 32, 500),
          of("W4", "{name: resnet-18, stem: large}", List.of(3, 64, 64), 200, 64, 1));

  static Workload named(String name) {
    return ALL.stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new SettingException(
                    "workload", "no workload " + name, "name one of W1 to W4, or W3b"));
  }

  private record ChosenModel(@Setting(doc = "the model") Model model) {}

  private record ChosenEngine(@Setting(doc = "the engine") EngineChoice engine) {}

  private static Workload of(
      String name, String model, List<Integer> shape, int classes, int batch, int stepsPerTicket) {
    int inputs = shape.stream().reduce(1, (a, b) -> a * b);
    Samples one = new Samples(new ByteFeatures(new byte[inputs], inputs, 1, 0), Ints.of(0));
    Dataset dataset = new Dataset(name, shape, classes, one, one);
    Model chosen =
        new Binder(List.of(Models.ALL))
            .bind(ChosenModel.class, ConfigFile.parse(name, "model: " + model))
            .model();
    return new Workload(name, chosen.sizedFor(dataset), batch, stepsPerTicket);
  }

  /** Random pictures, with the classes in rotation. */
  Samples samples(int count) {
    RandomStream random = new RandomStreams(1).stream(Purpose.DATA, 0, 0);
    int inputs = architecture.inputs();
    byte[] bytes = new byte[count * inputs];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) random.nextInt(256);
    }
    int[] labels = IntStream.range(0, count).map(i -> i % architecture.outputs()).toArray();
    return new Samples(new ByteFeatures(bytes, inputs, 1 / 73f, -1.75f), Ints.wrap(labels));
  }

  /** Every engine that computes; auto is one of these. */
  static List<Class<? extends EngineChoice>> engines() {
    return Engines.ALL.choices().stream().filter(type -> type != Auto.class).toList();
  }

  /** An engine with its defaults. */
  static EngineChoice engine(Class<? extends EngineChoice> type) {
    return new Binder(List.of(Engines.ALL))
        .bind(ChosenEngine.class, ConfigFile.parse("engine", "engine: " + Catalogue.nameOf(type)))
        .engine();
  }

  /** One forward pass, and twice as much for the backward pass. */
  double operationsPerStep() {
    return 3.0 * architecture.forwardOperations() * batch;
  }
}
