package io.kindred.experiment;

import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Weights;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.Wire;
import io.kindred.runtime.metrics.PendingMetrics;
import io.kindred.simulator.state.SimulationSnapshot;
import io.kindred.simulator.state.SimulationSpec;
import io.kindred.storage.disk.ChecksummedFile;
import io.kindred.storage.disk.DamagedFileException;
import io.kindred.storage.disk.RotatingFiles;
import io.kindred.storage.disk.WeightsTable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The checkpoints of a run. Each is a complete file; the last two are kept. */
final class CheckpointFiles {
  /**
   * A simulation snapshot, the length of metrics.jsonl at that moment, the time spent so far, and
   * the metrics not yet written.
   */
  record Checkpoint(
      SimulationSnapshot snapshot,
      long metricsLength,
      SpentTime spent,
      PendingMetrics pendingMetrics) {}

  private static final ChecksummedFile FORMAT = new ChecksummedFile("checkpoint", "KNDRDCKP", 1);

  private final RotatingFiles files;
  private final SimulationSpec spec;
  private final Wire wire = new Wire(List.of());

  CheckpointFiles(Path folder, SimulationSpec spec) {
    this.files =
        new RotatingFiles(
            folder,
            FORMAT,
            ".ckpt",
            "there is no other checkpoint; remove "
                + folder.getParent()
                + " or name another folder with --out to start over");
    this.spec = spec;
  }

  void write(Checkpoint checkpoint) throws IOException {
    SimulationSnapshot.Encoded encoded = checkpoint.snapshot().write(spec);
    files.write(
        checkpoint.snapshot().events(),
        out -> {
          DataOutputStream data = new DataOutputStream(out);
          data.writeLong(checkpoint.metricsLength());
          WeightsTable.writeBlock(data, wire.encode(SpentTime.class, checkpoint.spent()).bytes());
          checkpoint.pendingMetrics().write(data);
          WeightsTable.write(data, encoded.weights().values());
          WeightsTable.writeBlock(data, encoded.bytes().toBytes());
          data.flush();
        });
  }

  /** The newest undamaged checkpoint; empty if the run has no checkpoints. */
  Optional<Checkpoint> newest(Consumer<String> warn) throws IOException {
    return files.newest((file, in) -> read(new DataInputStream(in), file), warn);
  }

  private Checkpoint read(DataInputStream data, Path file) throws IOException {
    try {
      long metricsLength = data.readLong();
      SpentTime spent = wire.decode(SpentTime.class, WeightsTable.readBlock(data), digest -> null);
      PendingMetrics pending = PendingMetrics.read(data);
      Map<Digest, Weights> weights = WeightsTable.read(data);
      SimulationSnapshot snapshot =
          SimulationSnapshot.read(spec, WeightsTable.readBlock(data), weights::get);
      return new Checkpoint(snapshot, metricsLength, spent, pending);
    } catch (MalformedException | EOFException e) {
      throw new DamagedFileException(
          file,
          "checkpoint " + file + " does not belong to this experiment: " + e.getMessage(),
          "a snapshot of this experiment",
          String.valueOf(e.getMessage()));
    }
  }
}
