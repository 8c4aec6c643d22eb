package io.kindred.node.state;

import io.kindred.core.peer.Peer;
import io.kindred.core.peer.PeerState;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Weights;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.PeerStateCodec;
import io.kindred.protocol.wire.Wire;
import io.kindred.protocol.wire.WireInput;
import io.kindred.protocol.wire.WireOutput;
import io.kindred.storage.disk.ChecksummedFile;
import io.kindred.storage.disk.DamagedFileException;
import io.kindred.storage.disk.RotatingFiles;
import io.kindred.storage.disk.WeightsTable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** A peer's state on disk: complete files, forced to the disk, of which the last two are kept. */
public final class StateFiles {
  /** A peer's state, with the totals and the tick of the clock at that time. */
  public record Saved(PeerState state, Totals totals, long tick) {}

  private static final ChecksummedFile FORMAT = new ChecksummedFile("state", "KNDRDPST", 1);

  private final RotatingFiles files;
  private final Peer peer;
  private final Wire wire;

  public StateFiles(Path folder, Peer peer, Wire wire) {
    this.files =
        new RotatingFiles(
            folder,
            FORMAT,
            ".state",
            "there is no other saved state; remove "
                + folder
                + " to start the node from the beginning");
    this.peer = peer;
    this.wire = wire;
  }

  public void write(Saved saved) throws IOException {
    SortedMap<Digest, Weights> weights = new TreeMap<>();
    WireOutput out = new WireOutput(each -> weights.put(each.digest(), each));
    PeerStateCodec.write(wire, peer, saved.state(), out);
    files.write(
        saved.totals().events(),
        stream -> {
          DataOutputStream data = new DataOutputStream(stream);
          data.writeLong(saved.tick());
          WeightsTable.writeBlock(data, wire.encode(Totals.class, saved.totals()).bytes());
          WeightsTable.write(data, weights.values());
          WeightsTable.writeBlock(data, out.toBytes());
          data.flush();
        });
  }

  /** The newest undamaged state; empty where there is none, which is a first start. */
  public Optional<Saved> newest(Consumer<String> warn) throws IOException {
    return files.newest((file, in) -> read(file, new DataInputStream(in)), warn);
  }

  private Saved read(Path file, DataInputStream data) throws IOException {
    try {
      long tick = data.readLong();
      Totals totals = wire.decode(Totals.class, WeightsTable.readBlock(data), digest -> null);
      Map<Digest, Weights> weights = WeightsTable.read(data);
      WireInput in = new WireInput(WeightsTable.readBlock(data), weights::get);
      PeerState state = PeerStateCodec.read(wire, peer, in);
      if (in.remaining() > 0) {
        throw new MalformedException(in.remaining() + " bytes after the end");
      }
      return new Saved(state, totals, tick);
    } catch (MalformedException | EOFException e) {
      throw new DamagedFileException(
          file,
          "state " + file + " does not belong to this experiment: " + e.getMessage(),
          "a state of this peer",
          String.valueOf(e.getMessage()));
    }
  }
}
