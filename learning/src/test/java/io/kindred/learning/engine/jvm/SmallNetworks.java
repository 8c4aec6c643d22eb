package io.kindred.learning.engine.jvm;

import io.kindred.learning.model.Architecture;
import io.kindred.learning.model.LayerShape;
import io.kindred.learning.model.Volume;
import java.util.List;

/** Small networks that together have every kind of layer of the {@code jvm} engine. */
final class SmallNetworks {
  static final int CLASSES = 4;
  static final Volume INPUT = new Volume(2, 7, 6);

  private SmallNetworks() {}

  private static LayerShape.Convolution filter(
      String name, Volume input, int filters, int stride, int padding) {
    return new LayerShape.Convolution(name, input, filters, 3, stride, padding, true);
  }

  private static Architecture of(LayerShape... layers) {
    return new Architecture(List.of(layers), INPUT.size(), CLASSES);
  }

  /** Two convolutions and poolings, each of which drops a row. */
  static Architecture pooled() {
    LayerShape.Convolution first = filter("first", INPUT, 3, 1, 1);
    LayerShape.MaxPool pool = new LayerShape.MaxPool(first.output(), 2, 2, 0);
    LayerShape.Convolution second = filter("second", pool.output(), 5, 1, 1);
    LayerShape.MaxPool again = new LayerShape.MaxPool(second.output(), 3, 2, 1);
    LayerShape.Dense output = new LayerShape.Dense("output", again.output().size(), CLASSES);
    return of(first, new LayerShape.Relu(), pool, second, new LayerShape.Relu(), again, output);
  }

  static Architecture strided() {
    LayerShape.Convolution first = filter("first", INPUT, 4, 2, 1);
    LayerShape.Convolution second = filter("second", first.output(), 6, 2, 0);
    LayerShape.AveragePool mean = new LayerShape.AveragePool(second.output());
    return of(
        first, new LayerShape.Relu(), second, mean, new LayerShape.Dense("output", 6, CLASSES));
  }

  static Architecture normalized() {
    LayerShape.Convolution first = new LayerShape.Convolution("first", INPUT, 3, 3, 1, 0, false);
    int area = first.output().area();
    return of(
        first,
        new LayerShape.BatchNorm("norm", 3, area),
        new LayerShape.Relu(),
        new LayerShape.Dense("hidden", 3 * area, 5),
        new LayerShape.BatchNorm("flat", 5, 1),
        new LayerShape.Dense("output", 5, CLASSES));
  }

  /**
   * Cube roots of the inputs and, so that one takes part in the backward pass, of hidden values.
   */
  static Architecture rooted() {
    return of(
        new LayerShape.CubeRoot(),
        new LayerShape.Dense("hidden", INPUT.size(), 5),
        new LayerShape.CubeRoot(),
        new LayerShape.Dense("output", 5, CLASSES));
  }

  /**
   * A residual with a shortcut of its own, one whose path begins with a layer that writes to its
   * inputs, and depthwise filters.
   */
  static Architecture residual() {
    LayerShape.Convolution first = filter("first", INPUT, 4, 1, 1);
    LayerShape.Convolution path = filter("path", first.output(), 6, 2, 1);
    LayerShape.Convolution shortcut =
        new LayerShape.Convolution("shortcut", first.output(), 6, 1, 2, 0, false);
    LayerShape.GroupedConvolution depthwise =
        new LayerShape.GroupedConvolution(
            "depthwise",
            path.output(),
            6,
            new LayerShape.GroupedConvolution.Extent(3, 3),
            new LayerShape.GroupedConvolution.Extent(1, 1),
            new LayerShape.GroupedConvolution.Extent(1, 1),
            6,
            true);
    return of(
        first,
        new LayerShape.Relu(),
        new LayerShape.Residual(
            List.of(
                path,
                new LayerShape.BatchNorm("norm", 6, path.output().area()),
                new LayerShape.Relu(),
                filter("again", path.output(), 6, 1, 1)),
            List.of(shortcut)),
        new LayerShape.Relu(),
        new LayerShape.Residual(List.of(new LayerShape.Relu6(), depthwise), List.of()),
        new LayerShape.Dense("output", path.output().size(), CLASSES));
  }

  /** Branches right at the inputs and behind other layers. */
  static Architecture forked() {
    LayerShape.Convolution narrow = new LayerShape.Convolution("narrow", INPUT, 3, 1, 1, 0, true);
    LayerShape.Convolution wide = filter("wide", INPUT, 2, 1, 1);
    Volume joined = new Volume(5, INPUT.height(), INPUT.width());
    LayerShape.Convolution one = filter("one", joined, 2, 2, 1);
    LayerShape.Convolution other = filter("other", joined, 3, 2, 1);
    return of(
        new LayerShape.Concatenation(
            List.of(List.of(narrow, new LayerShape.Relu()), List.of(wide))),
        new LayerShape.Relu(),
        new LayerShape.Concatenation(List.of(List.of(one), List.of(other))),
        new LayerShape.Dense("output", 5 * one.output().area(), CLASSES));
  }

  static Architecture everything() {
    LayerShape.Convolution first = filter("first", INPUT, 6, 1, 1);
    LayerShape.MaxPool pool = new LayerShape.MaxPool(first.output(), 2, 2, 0);
    LayerShape.Convolution second = filter("second", pool.output(), 7, 2, 1);
    int flat = second.output().size();
    return of(
        new LayerShape.CubeRoot(),
        first,
        new LayerShape.BatchNorm("norm", 6, first.output().area()),
        new LayerShape.Relu(),
        pool,
        second,
        new LayerShape.Relu(),
        new LayerShape.Dense("hidden", flat, 19),
        new LayerShape.Dropout(0.3),
        new LayerShape.Dense("output", 19, CLASSES));
  }
}
