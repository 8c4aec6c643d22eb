package io.kindred.learning;

import io.kindred.core.config.Named;
import io.kindred.core.config.SettingException;
import io.kindred.learning.engine.Engine;
import io.kindred.learning.engine.EngineChoice;
import io.kindred.learning.engine.EngineSelection;
import io.kindred.learning.engine.jvm.Jvm;
import io.kindred.learning.model.Architecture;
import io.kindred.learning.model.LayerShape;
import io.kindred.learning.torch.Torch;
import io.kindred.learning.torch.TorchDevice;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Takes the faster of the two engines for a model, as far as this machine has both. The engine that
 * was taken is recorded with the run, because the bits of the results depend on it.
 */
@Named(
    value = "auto",
    summary = "chooses jvm or torch, depending on the model and on what this machine supports")
public record Auto() implements EngineChoice {
  /**
   * Operations of a sample's forward pass from which on torch is the faster engine for a model with
   * convolutions; docs/reference/engines.md has the measurement. Without convolutions jvm is at
   * least as fast at every size.
   */
  private static final long LARGE_CONVOLUTIONS = 24_000_000;

  private static final Torch TORCH = new Torch(TorchDevice.CPU);

  @Override
  public EngineSelection select(Architecture architecture) {
    return select(architecture, Auto::whyTorchFails);
  }

  /** Selects with another answer to whether torch works here; empty means that it does. */
  static EngineSelection select(
      Architecture architecture, Supplier<Optional<SettingException>> torchFailure) {
    boolean text = architecture.layers().stream().anyMatch(LayerShape.Encoder.class::isInstance);
    boolean large =
        architecture.layers().stream().anyMatch(Auto::hasConvolutions)
            && architecture.forwardOperations() >= LARGE_CONVOLUTIONS;
    if (!text && !large) {
      return EngineSelection.because(
          new Jvm(), "the faster engine for a model " + size(architecture));
    }
    Optional<SettingException> failure = torchFailure.get();
    return failure.isEmpty()
        ? EngineSelection.because(
            TORCH,
            text
                ? "the faster engine for a text encoder"
                : "the faster engine for a model with convolutions " + size(architecture))
        : EngineSelection.because(
            new Jvm(), "torch would be faster, but " + failure.get().problem());
  }

  private static boolean hasConvolutions(LayerShape layer) {
    return switch (layer) {
      case LayerShape.Convolution _, LayerShape.GroupedConvolution _ -> true;
      case LayerShape.Residual(List<LayerShape> path, List<LayerShape> shortcut) ->
          Stream.concat(path.stream(), shortcut.stream()).anyMatch(Auto::hasConvolutions);
      case LayerShape.Concatenation(List<List<LayerShape>> branches) ->
          branches.stream().flatMap(List::stream).anyMatch(Auto::hasConvolutions);
      case LayerShape.Dense _,
          LayerShape.Relu _,
          LayerShape.Relu6 _,
          LayerShape.MaxPool _,
          LayerShape.AveragePool _,
          LayerShape.BatchNorm _,
          LayerShape.Dropout _,
          LayerShape.Encoder _,
          LayerShape.CubeRoot _ ->
          false;
    };
  }

  private static String size(Architecture architecture) {
    long operations = architecture.forwardOperations();
    return operations < 1_000_000
        ? String.format(Locale.ROOT, "of %,d operations a sample", operations)
        : String.format(Locale.ROOT, "of %.1f million operations a sample", operations / 1e6);
  }

  private static Optional<SettingException> whyTorchFails() {
    try {
      TORCH.prepare(Collections.emptyMap(), warning -> {});
      return Optional.empty();
    } catch (SettingException failure) {
      return Optional.of(failure);
    }
  }

  @Override
  public Engine create(Architecture architecture) {
    return select(architecture).engine().create(architecture);
  }

  /** Warms up the engine of small models, whose runs are the short ones. */
  @Override
  public void warmUp() {
    new Jvm().warmUp();
  }

  @Override
  public String description() {
    return "auto, selected on each machine";
  }
}
