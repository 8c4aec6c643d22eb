package io.kindred.lab.run;

import io.kindred.core.weights.Ints;
import io.kindred.files.disk.WeightsTable;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.Wire;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What peers have told and no file shows yet, so that checkpoints have to.
 *
 * @param measured figures of the model that a peer deploys next
 * @param sorted where peers have put their training samples, for methods that sort them
 */
record Unwritten(
    SortedMap<Long, SortedMap<String, Double>> measured,
    SortedMap<Long, Ints> sorted,
    Consensus consensus) {
  private record Figures(
      SortedMap<Long, SortedMap<String, Double>> measured, SortedMap<Long, Ints> sorted) {}

  private static final Wire WIRE = new Wire(List.of());

  static Unwritten nothing() {
    return new Unwritten(new TreeMap<>(), new TreeMap<>(), new Consensus());
  }

  void write(DataOutputStream out) throws IOException {
    Figures figures = new Figures(measured, sorted);
    WeightsTable.writeBlock(out, WIRE.encode(Figures.class, figures).bytes());
    consensus.write(out);
  }

  static Unwritten read(DataInputStream in) throws IOException, MalformedException {
    Figures figures = WIRE.decode(Figures.class, WeightsTable.readBlock(in), _ -> null);
    // What is decoded never changes; here peers go on telling.
    SortedMap<Long, SortedMap<String, Double>> measured = new TreeMap<>();
    figures.measured().forEach((peer, each) -> measured.put(peer, new TreeMap<>(each)));
    return new Unwritten(measured, new TreeMap<>(figures.sorted()), Consensus.read(in));
  }
}
