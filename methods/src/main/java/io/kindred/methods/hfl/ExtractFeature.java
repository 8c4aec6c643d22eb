package io.kindred.methods.hfl;

import io.kindred.core.compute.PureFunction;
import io.kindred.core.config.Named;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Extracts the change of a model, as a whole or in some layers only (phi and phi-crop, section
 * 5.4.4).
 *
 * @param layers names of layers to keep; none keeps the whole
 */
@Named("hfl/extract-feature")
public record ExtractFeature(Weights before, Weights after, List<String> layers)
    implements PureFunction {
  public ExtractFeature {
    layers = List.copyOf(layers);
  }

  /** The whole change as a model, or the chosen part of it as a row. */
  @Named("hfl/feature")
  public record Feature(Optional<Weights> direction, Floats row) implements Answer {}

  @Override
  public long operations() {
    return before.size();
  }

  @Override
  public Answer apply() {
    float[] difference = new float[before.size()];
    for (int i = 0; i < difference.length; i++) {
      difference[i] = after.get(i) - before.get(i);
    }
    return layers.isEmpty()
        ? new Feature(Optional.of(Weights.wrap(before.layout(), difference)), Floats.of())
        : new Feature(Optional.empty(), Floats.wrap(crop(before.layout(), difference)));
  }

  private float[] crop(Layout layout, float[] difference) {
    List<Layout.Block> kept =
        layout.blocks().stream().filter(block -> layers.contains(layerOf(block))).toList();
    float[] row = new float[kept.stream().mapToInt(Layout.Block::size).sum()];
    int at = 0;
    for (Layout.Block block : kept) {
      System.arraycopy(difference, block.offset(), row, at, block.size());
      at += block.size();
    }
    return row;
  }

  private static String layerOf(Layout.Block block) {
    int dot = block.name().lastIndexOf('.');
    return dot < 0 ? block.name() : block.name().substring(0, dot);
  }

  /**
   * The named layers; if none is named the smallest convolution, or the smallest layer if there is
   * no convolution: the paper crops to the smallest convolution of its network.
   */
  static List<String> layers(Layout layout, List<String> named) {
    if (!named.isEmpty()) {
      return named;
    }
    List<Layout.Block> trained = layout.blocks().stream().filter(Layout.Block::trained).toList();
    return trained.stream()
        .filter(block -> block.shape().size() == 4)
        .map(ExtractFeature::layerOf)
        .min(bySize(trained))
        .or(() -> trained.stream().map(ExtractFeature::layerOf).min(bySize(trained)))
        .map(List::of)
        .orElse(List.of());
  }

  private static Comparator<String> bySize(List<Layout.Block> blocks) {
    return Comparator.comparingInt(
        layer ->
            blocks.stream()
                .filter(block -> layerOf(block).equals(layer))
                .mapToInt(Layout.Block::size)
                .sum());
  }
}
