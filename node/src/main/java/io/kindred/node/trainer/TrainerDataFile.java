package io.kindred.node.trainer;

import io.kindred.core.compute.DataView;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.learning.data.Samples;
import io.kindred.learning.engine.SampleRows;
import io.kindred.learning.training.PeerDatasets;
import io.kindred.storage.disk.Safetensors;
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
 * for each sample, {@code labels}, and {@code targets} where the data set has numeric targets, all
 * as 32-bit floats in safetensors.
 */
final class TrainerDataFile {
  private TrainerDataFile() {}

  /** The splits of a peer by name, the common test set among them. */
  private static SortedMap<String, SampleRows> splits(PeerDatasets datasets, PeerId peer) {
    SortedMap<String, SampleRows> rowsBySplit = new TreeMap<>();
    for (DataView.Split split : DataView.Split.values()) {
      rowsBySplit.put(
          split.name().toLowerCase(Locale.ROOT), datasets.rows(peer, DataView.own(split)));
    }
    rowsBySplit.put("common", datasets.commonTestRows(peer));
    return rowsBySplit;
  }

  /** Writes the samples of a peer into a folder that only this user can enter. */
  static Path write(Path folder, PeerDatasets datasets, PeerId peer) {
    Layout.Builder layout = Layout.builder();
    SortedMap<String, SampleRows> splits = splits(datasets, peer);
    splits.forEach((name, sampleRows) -> addBlocks(layout, name, sampleRows));
    Layout built = layout.build();
    float[] values = new float[built.size()];
    splits.forEach((name, rows) -> copyRows(built, name, rows, values));
    try {
      if (!Files.isDirectory(folder)) {
        Files.createDirectory(folder, ownerOnlyPermissions(folder));
      }
      Path file = folder.resolve("data.safetensors");
      Safetensors.write(file, Weights.wrap(built, values));
      return file.toAbsolutePath();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the samples to " + folder, e);
    }
  }

  private static FileAttribute<?>[] ownerOnlyPermissions(Path folder) {
    return folder.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
        }
        : new FileAttribute<?>[0];
  }

  private static void addBlocks(Layout.Builder layout, String split, SampleRows rows) {
    Samples samples = rows.samples();
    layout.add(split + ".inputs", rows.count(), samples.features().width());
    layout.add(split + ".labels", rows.count());
    samples
        .targets()
        .ifPresent(numbers -> layout.add(split + ".targets", rows.count(), numbers.width()));
  }

  private static void copyRows(Layout layout, String split, SampleRows rows, float[] values) {
    Samples samples = rows.samples();
    int inputs = layout.block(split + ".inputs").offset();
    int labels = layout.block(split + ".labels").offset();
    for (int row = 0; row < rows.count(); row++) {
      int width = samples.features().width();
      samples.features().copy(rows.indices().get(row), values, inputs + row * width);
      values[labels + row] = rows.label(row);
    }
    samples
        .targets()
        .ifPresent(
            numbers -> {
              int targets = layout.block(split + ".targets").offset();
              for (int row = 0; row < rows.count(); row++) {
                rows.copyTargets(row, values, targets + row * numbers.width());
              }
            });
  }
}
