package io.kindred.node.trainer;

import io.kindred.core.PeerId;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.DataView;
import io.kindred.files.disk.Safetensors;
import io.kindred.learning.data.Samples;
import io.kindred.learning.engine.Rows;
import io.kindred.learning.training.Holdings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A peer's samples in a file that any language can read: for each split {@code inputs} with a row
 * for each sample, {@code labels}, and {@code targets} where numbers are asked for, all as 32-bit
 * floats in safetensors.
 */
final class HandedData {
  private HandedData() {}

  /** The parts of a peer by name, the common test set among them. */
  private static SortedMap<String, Rows> parts(Holdings holdings, PeerId peer) {
    SortedMap<String, Rows> parts = new TreeMap<>();
    for (DataView.Split split : DataView.Split.values()) {
      parts.put(split.name().toLowerCase(Locale.ROOT), holdings.rows(peer, DataView.own(split)));
    }
    parts.put("common", holdings.globalTest(peer));
    return parts;
  }

  /** Writes the samples of a peer into a folder that only this user can enter. */
  static Path write(Path folder, Holdings holdings, PeerId peer) {
    Layout.Builder layout = Layout.builder();
    SortedMap<String, Rows> parts = parts(holdings, peer);
    parts.forEach((name, rows) -> place(layout, name, rows));
    Layout built = layout.build();
    float[] values = new float[built.size()];
    parts.forEach((name, rows) -> fill(built, name, rows, values));
    try {
      if (!Files.isDirectory(folder)) {
        Files.createDirectory(folder, onlyForUs(folder));
      }
      Path file = folder.resolve("data.safetensors");
      Safetensors.write(file, Weights.wrap(built, values));
      return file.toAbsolutePath();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the samples to " + folder, e);
    }
  }

  private static FileAttribute<?>[] onlyForUs(Path folder) {
    return folder.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
        }
        : new FileAttribute<?>[0];
  }

  private static void place(Layout.Builder layout, String part, Rows rows) {
    Samples samples = rows.samples();
    layout.add(part + ".inputs", rows.count(), samples.features().width());
    layout.add(part + ".labels", rows.count());
    samples
        .targets()
        .ifPresent(numbers -> layout.add(part + ".targets", rows.count(), numbers.width()));
  }

  private static void fill(Layout layout, String part, Rows rows, float[] values) {
    Samples samples = rows.samples();
    int inputs = layout.block(part + ".inputs").offset();
    int labels = layout.block(part + ".labels").offset();
    for (int row = 0; row < rows.count(); row++) {
      int width = samples.features().width();
      samples.features().copy(rows.indices().get(row), values, inputs + row * width);
      values[labels + row] = rows.label(row);
    }
    samples
        .targets()
        .ifPresent(
            numbers -> {
              int targets = layout.block(part + ".targets").offset();
              for (int row = 0; row < rows.count(); row++) {
                rows.copyTargets(row, values, targets + row * numbers.width());
              }
            });
  }
}
