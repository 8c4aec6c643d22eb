package io.kindred.lab.run;

import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.files.OperatorException;
import io.kindred.files.disk.DamagedFileException;
import io.kindred.files.disk.SealedFile;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.Wire;
import io.kindred.simulator.Cut;
import io.kindred.simulator.Scene;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Checkpoints of a run: whole files, the last two kept, so that a torn or lost one costs at most
 * the time since the one before.
 */
final class CheckpointFiles {
  /** A cut, how long metrics.jsonl was then, and the time that had been spent. */
  record Checkpoint(Cut cut, long metricsLength, SpentTime spent) {}

  private static final SealedFile FORMAT = new SealedFile("checkpoint", "KNDRDCUT", 1);
  private static final int KEPT = 2;
  private static final String SUFFIX = ".cut";

  private final Path folder;
  private final Scene scene;
  private final Wire wire = new Wire(List.of());

  CheckpointFiles(Path folder, Scene scene) {
    this.folder = folder;
    this.scene = scene;
  }

  void write(Checkpoint checkpoint) throws IOException {
    Files.createDirectories(folder);
    Cut.Written written = checkpoint.cut().write(scene);
    Path file = folder.resolve("%012d".formatted(checkpoint.cut().events()) + SUFFIX);
    FORMAT.write(
        file,
        out -> {
          DataOutputStream data = new DataOutputStream(out);
          data.writeLong(checkpoint.metricsLength());
          writeBlock(data, wire.encode(SpentTime.class, checkpoint.spent()).bytes());
          writeWeights(data, new ArrayList<>(written.weights().values()));
          writeBlock(data, written.bytes().toBytes());
          data.flush();
        });
    List<Path> all = newestFirst();
    for (Path old : all.subList(Math.min(KEPT, all.size()), all.size())) {
      Files.deleteIfExists(old);
    }
  }

  private void writeWeights(DataOutputStream data, List<Weights> weights) throws IOException {
    List<Layout> layouts = weights.stream().map(Weights::layout).distinct().toList();
    data.writeInt(layouts.size());
    for (Layout layout : layouts) {
      writeBlock(data, wire.encode(Layout.class, layout).bytes());
    }
    data.writeInt(weights.size());
    for (Weights each : weights) {
      data.writeInt(layouts.indexOf(each.layout()));
      ByteBuffer bytes = ByteBuffer.allocate(4 * each.size()).order(ByteOrder.LITTLE_ENDIAN);
      bytes.asFloatBuffer().put(each.shared());
      data.write(bytes.array());
    }
  }

  private static void writeBlock(DataOutputStream data, byte[] bytes) throws IOException {
    data.writeInt(bytes.length);
    data.write(bytes);
  }

  /**
   * The newest checkpoint that is whole; a damaged one is told to {@code warn} and the one before
   * is taken. Empty where there are none at all.
   */
  Optional<Checkpoint> newest(Consumer<String> warn) throws IOException {
    List<Path> files = newestFirst();
    String damage = "";
    for (Path file : files) {
      try {
        return Optional.of(FORMAT.read(file, in -> read(new DataInputStream(in), file)));
      } catch (DamagedFileException e) {
        damage = String.valueOf(e.getMessage());
        warn.accept(damage);
      }
    }
    if (files.isEmpty()) {
      return Optional.empty();
    }
    throw new OperatorException(
        OperatorException.WRONG_USE,
        damage
            + "; no other checkpoint is left, so remove "
            + folder.getParent()
            + " or name another folder with --out to start over");
  }

  private Checkpoint read(DataInputStream data, Path file) throws IOException {
    try {
      long metricsLength = data.readLong();
      SpentTime spent = wire.decode(SpentTime.class, readBlock(data), digest -> null);
      Map<Digest, Weights> weights = readWeights(data);
      Cut cut = Cut.read(scene, readBlock(data), weights::get);
      return new Checkpoint(cut, metricsLength, spent);
    } catch (MalformedException | EOFException e) {
      throw new DamagedFileException(
          file,
          "checkpoint " + file + " does not belong to this experiment: " + e.getMessage(),
          "a cut of this experiment",
          String.valueOf(e.getMessage()));
    }
  }

  private Map<Digest, Weights> readWeights(DataInputStream data)
      throws IOException, MalformedException {
    List<Layout> layouts = new ArrayList<>();
    int layoutCount = data.readInt();
    for (int i = 0; i < layoutCount; i++) {
      layouts.add(wire.decode(Layout.class, readBlock(data), digest -> null));
    }
    Map<Digest, Weights> weights = new TreeMap<>();
    int count = data.readInt();
    for (int i = 0; i < count; i++) {
      Layout layout = layouts.get(data.readInt());
      byte[] bytes = data.readNBytes(4 * layout.size());
      float[] values = new float[layout.size()];
      ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(values);
      Weights each = Weights.wrap(layout, values);
      weights.put(each.digest(), each);
    }
    return weights;
  }

  private static byte[] readBlock(DataInputStream data) throws IOException {
    return data.readNBytes(data.readInt());
  }

  private List<Path> newestFirst() throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(SUFFIX))
          .sorted(Comparator.reverseOrder())
          .toList();
    }
  }
}
