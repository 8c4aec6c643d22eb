package io.kindred.lab.run;

import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Weights;
import io.kindred.files.disk.DamagedFileException;
import io.kindred.files.disk.LastFiles;
import io.kindred.files.disk.SealedFile;
import io.kindred.files.disk.WeightsTable;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.Wire;
import io.kindred.simulator.Cut;
import io.kindred.simulator.Scene;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Checkpoints of a run: whole files, the last two kept. */
final class CheckpointFiles {
  /**
   * A cut, how long metrics.jsonl was then, the time that had been spent, and what was not written
   * yet.
   */
  record Checkpoint(Cut cut, long metricsLength, SpentTime spent, Unwritten unwritten) {}

  private static final SealedFile FORMAT = new SealedFile("checkpoint", "KNDRDCUT", 3);

  private final LastFiles files;
  private final Scene scene;
  private final Wire wire = new Wire(List.of());

  CheckpointFiles(Path folder, Scene scene) {
    this.files =
        new LastFiles(
            folder,
            FORMAT,
            ".cut",
            "no other checkpoint is left, so remove "
                + folder.getParent()
                + " or name another folder with --out to start over");
    this.scene = scene;
  }

  void write(Checkpoint checkpoint) throws IOException {
    Cut.Written written = checkpoint.cut().write(scene);
    files.write(
        checkpoint.cut().events(),
        out -> {
          DataOutputStream data = new DataOutputStream(out);
          data.writeLong(checkpoint.metricsLength());
          WeightsTable.writeBlock(data, wire.encode(SpentTime.class, checkpoint.spent()).bytes());
          checkpoint.unwritten().write(data);
          WeightsTable.write(data, written.weights().values());
          WeightsTable.writeBlock(data, written.bytes().toBytes());
          data.flush();
        });
  }

  /** The newest checkpoint that is whole; empty where there are none at all. */
  Optional<Checkpoint> newest(Consumer<String> warn) throws IOException {
    return files.newest((file, in) -> read(new DataInputStream(in), file), warn);
  }

  private Checkpoint read(DataInputStream data, Path file) throws IOException {
    try {
      long metricsLength = data.readLong();
      SpentTime spent = wire.decode(SpentTime.class, WeightsTable.readBlock(data), digest -> null);
      Unwritten unwritten = Unwritten.read(data);
      Map<Digest, Weights> weights = WeightsTable.read(data);
      Cut cut = Cut.read(scene, WeightsTable.readBlock(data), weights::get);
      return new Checkpoint(cut, metricsLength, spent, unwritten);
    } catch (MalformedException | EOFException e) {
      throw new DamagedFileException(
          file,
          "checkpoint " + file + " does not belong to this experiment: " + e.getMessage(),
          "a cut of this experiment",
          String.valueOf(e.getMessage()));
    }
  }
}
