package io.kindred.runtime.metrics;

import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Weights;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * How far peers agree on each of several models: the mean over peers of the squared distance to
 * their mean (FedSPD, theorem 5.10). Sums are kept in place of models.
 */
final class ConsensusDistance {
  private static final class Slot {
    private final double[] sum;
    private double squares;

    private Slot(int size) {
      sum = new double[size];
    }

    private Slot copy() {
      Slot copy = new Slot(sum.length);
      System.arraycopy(sum, 0, copy.sum, 0, sum.length);
      copy.squares = squares;
      return copy;
    }

    private void add(Weights weights) {
      float[] values = weights.shared();
      for (int i = 0; i < sum.length; i++) {
        sum[i] += values[i];
        squares += (double) values[i] * values[i];
      }
    }

    private void write(DataOutputStream out) throws IOException {
      out.writeInt(sum.length);
      for (double each : sum) {
        out.writeDouble(each);
      }
      out.writeDouble(squares);
    }

    private static Slot read(DataInputStream in) throws IOException {
      Slot slot = new Slot(in.readInt());
      for (int i = 0; i < slot.sum.length; i++) {
        slot.sum[i] = in.readDouble();
      }
      slot.squares = in.readDouble();
      return slot;
    }

    private double distance(int peers) {
      double ofMean = 0;
      for (double each : sum) {
        ofMean += (each / peers) * (each / peers);
      }
      return Math.max(0, squares / peers - ofMean);
    }
  }

  private final List<Slot> slots = new ArrayList<>();
  private final SortedSet<Long> reportedPeers = new TreeSet<>();

  /** Adds the models of a peer; later calls for the same peer are ignored. */
  void add(PeerId peer, List<Weights> models) {
    if (!reportedPeers.add(peer.number())) {
      return;
    }
    for (int slot = 0; slot < models.size(); slot++) {
      Weights weights = models.get(slot);
      if (slot == slots.size()) {
        slots.add(new Slot(weights.size()));
      }
      slots.get(slot).add(weights);
    }
  }

  /** The distance of each slot; empty unless every peer has reported. */
  Optional<List<Double>> distances(int peerCount) {
    return reportedPeers.size() == peerCount && !slots.isEmpty()
        ? Optional.of(slots.stream().map(slot -> slot.distance(peerCount)).toList())
        : Optional.empty();
  }

  ConsensusDistance copy() {
    ConsensusDistance copy = new ConsensusDistance();
    copy.reportedPeers.addAll(reportedPeers);
    slots.forEach(slot -> copy.slots.add(slot.copy()));
    return copy;
  }

  void write(DataOutputStream out) throws IOException {
    out.writeInt(reportedPeers.size());
    for (long peer : reportedPeers) {
      out.writeLong(peer);
    }
    out.writeInt(slots.size());
    for (Slot slot : slots) {
      slot.write(out);
    }
  }

  static ConsensusDistance read(DataInputStream in) throws IOException {
    ConsensusDistance consensusDistance = new ConsensusDistance();
    for (int left = in.readInt(); left > 0; left--) {
      consensusDistance.reportedPeers.add(in.readLong());
    }
    for (int left = in.readInt(); left > 0; left--) {
      consensusDistance.slots.add(Slot.read(in));
    }
    return consensusDistance;
  }
}
